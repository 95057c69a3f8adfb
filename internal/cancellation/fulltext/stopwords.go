package fulltext

import (
	"sync"

	"aviso/internal/textfold"
)

// stopWords returns the words that say nothing about what somebody looks for, in their
// short form: articles, conjunctions and prepositions of the languages that the service knows.
var stopWords = sync.OnceValue(func() map[string]bool { //nolint:gochecknoglobals // computed on first use
	stop := map[string]bool{}
	for _, language := range []string{
		"a do i k na nebo o od pro s u v z",    // cs
		"af den det en et for i med og på til", // da
		"am an auf aus bei das dem den der des die ein eine für im in mit oder und von vom zu zum zur", // de
		"a an and at by for from in of or the to with",                                                 // en
		"a al con de del e el en la las los o para por un una y",                                       // es
		"ja sekä tai", // fi
		"à au aux avec d de des du en et l la le les ou par pour sur un une",                 // fr
		"a al alla con d da dei del della delle di e ed gli i il in l la le lo o per un una", // it
		"aan bij de een en het in met of op te van voor",                                     // nl
		"av den det ei en et for i med og på til",                                            // no
		"a albo dla do i lub na o od oraz w we z za",                                         // pl
		"a ao as com da das de do dos e em na no o os ou para por um uma",                    // pt
		"av den det en ett för i med och på till",                                            // sv
	} {
		for _, w := range words(language) {
			stop[textfold.Short(w)] = true
		}
	}
	return stop
})
