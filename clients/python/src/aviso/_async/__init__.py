"""The client for asyncio. `make clients-python` makes the sync client from it: edit this one."""
