from datetime import date

from aviso import Aviso

client = Aviso()
deadline = client.catalogue.get_deadline(
    organization_id, product_id, contract_start=date(2025, 3, 15), locale="de-DE"
)
for last in deadline.send_by:
    print(last.channel, "by", last.date, "to end on", deadline.earliest_end)
