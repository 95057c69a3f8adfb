from datetime import date

from aviso import Aviso, models

client = Aviso()
deadline = client.catalogue.calculate_deadline(
    organization_id,
    product_id,
    contract_start=date(2025, 3, 15),
    customer="Consumer",
    agreed_terms=models.AgreedTerms(notice_period="P2W"),
)
for step in deadline.steps:
    print(step.text, step.source)
