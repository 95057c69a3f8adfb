from aviso import Aviso

client = Aviso()
for terms in client.terms.list():
    print(terms.terms_type, terms.version, terms.url)
