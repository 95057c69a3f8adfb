// Package cataloguefile reads the file from which the catalogue is imported, and
// refuses it as a whole when anything in it is not valid, naming every fault.
//
// A file is JSON Lines, in UTF-8, plain or compressed with gzip: one object a
// line, blank lines aside. An object has one member, which is a category or an
// organization:
//
//	{"category":{"slug":"streaming","names":{"en":"Streaming","de":"Streaming"}}}
//	{"organization":{"slug":"vidorama","category":"streaming","name":"Vidorama",
//	  "url":"https://vidorama.example","locales":["de-DE","en-GB"],"products":[{
//	    "slug":"abo","name":"Vidorama Abo","locales":["de-DE","en-GB"],"form":"Text",
//	    "channels":[
//	      {"kind":"Email","email":"kuendigung@vidorama.example"},
//	      {"kind":"Mail","address":{"recipient":["Vidorama GmbH"],"street":"Lichtspielweg 4",
//	        "postalCode":"50667","city":"Köln","countryCode":"DE"}},
//	      {"kind":"Fax","fax":"+4922155500123"}],
//	    "fields":["NAME","ADDRESS","ZIP","CITY","EMAIL",{"key":"SCREEN_NAME",
//	      "format":"^[a-z]{3,20}$","labels":{"de-DE":"Anzeigename","en-GB":"Screen name"}}]}]}}
//
// (An organization is broken here for reading; in a file it is one line.)
// Optional are url, extraConsent and inactive of organizations, inactive of
// products, street of addresses, format of fields. An organization that is not
// in the file is removed by the import; one that is inactive is kept and shown
// to nobody.
//
// What stands in letters must be such that they can print it: names, addresses
// and labels. Locales are those that there are letters in, and a country is one
// that has a name in them.
//
// Channels are in order of preference, none twice. A product whose form is
// Written or WetInk goes on paper, so that Email and Fax are refused for it; for
// WetInk the address stands on the letter that the user prints and signs.
//
// A field given by its key alone is a standard one, with labels and format of
// this package; its language must be one of de, en, fr, nl, es, it, sv, pl, da,
// nb, fi, pt and cs. Any other field brings a label for every locale of its
// product. See format.go for the formats that are let through.
package cataloguefile
