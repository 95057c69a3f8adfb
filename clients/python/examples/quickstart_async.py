import asyncio

from aviso import AsyncAviso


async def main() -> None:
    async with AsyncAviso() as client:  # reads AVISO_BASE_URL, AVISO_CLIENT_ID and AVISO_CLIENT_SECRET
        made = await client.users.create(country_code="DE", language_code="en")
        user = client.user(made.user_id)
        for terms in await client.terms.list():  # once your customer has accepted them
            await user.terms.accept(terms_type=terms.terms_type, version=terms.version)
        banks = await client.providers.list(provider_name_filter="linden").page()
        link = await user.connections.create(provider_id=banks.items[0].id, return_url="http://localhost:8080/")
        print("Open this link, and approve:", link.redirect_url, flush=True)
        while (await user.connections.get(link.connection_id)).last_success_at.year == 1:  # not read yet
            await asyncio.sleep(1)
        async for transaction in user.transactions.list():
            print(f"{transaction.amount:>9} {transaction.note}")


asyncio.run(main())
