package letter

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// colours is the sRGB profile. PDF/A allows no greys and colours without it.
//
//go:embed fonts/srgb.icc
var colours []byte

// pdf writes the objects of a document. All objects except streams are packed into one stream; without that, a
// summary would have 30 KB instead of 20.
type pdf struct {
	buffer, packed bytes.Buffer
	numbers        []byte // of the packed objects, with their offsets
	count          int    // of the packed objects
	objects        []object
	deflate        *zlib.Writer
}

// object is the position of an object: an offset, or an index among the packed ones.
type object struct {
	packed    bool
	at, index int
}

// The first objects.
const (
	catalogue = iota + 1
	pageTree
	structure
	root // of the elements
)

// put adds one of the first objects.
func (d *pdf) put(number int, format string, args ...any) {
	d.objects[number-1] = object{packed: true, index: d.count}
	d.count++
	d.numbers = fmt.Appendf(d.numbers, "%d %d ", number, d.packed.Len())
	fmt.Fprintf(&d.packed, format+"\n", args...)
}

// add adds an object and returns its number.
func (d *pdf) add(format string, args ...any) int {
	d.objects = append(d.objects, object{})
	d.put(len(d.objects), format, args...)
	return len(d.objects)
}

// stream compresses and adds data, with entries for its dictionary.
func (d *pdf) stream(entries string, data []byte) int {
	var b bytes.Buffer
	d.deflate.Reset(&b)
	_, _ = d.deflate.Write(data) // a buffer never fails
	_ = d.deflate.Close()
	return d.compressed(entries, b.Bytes())
}

// compressed adds data that is already compressed.
func (d *pdf) compressed(entries string, data []byte) int {
	d.objects = append(d.objects, object{at: d.buffer.Len()})
	fmt.Fprintf(&d.buffer, "%d 0 obj\n<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream\nendobj\n",
		len(d.objects), entries, len(data), data)
	return len(d.objects)
}

// bytes returns the sheet as a document.
func (s *sheet) bytes() []byte {
	d := &pdf{deflate: zlib.NewWriter(nil), objects: make([]object, root)}
	d.buffer.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	resources, toUnicode := "/Font<<", d.unicodes(s.characters)
	for style, f := range s.fonts {
		if len(f.used) > 0 {
			resources += fmt.Sprintf("/F%d %d 0 R", style, d.font(f, s.characters, s.codes, toUnicode))
		}
	}
	resources += ">>"
	if s.picture != nil {
		resources += fmt.Sprintf("/XObject<</%s %d 0 R>>", signatureName, d.compressed(s.picture.object()))
	}
	var pages []int
	var owners strings.Builder // of each page's marked content
	for i, p := range s.pages {
		p.end()
		pages = append(pages, d.add("<</Type/Page/Parent %d 0 R/Resources<<%s>>/Contents %d 0 R/StructParents %d>>",
			pageTree, resources, d.stream("", p.content), i))
	}
	d.put(pageTree, "<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 595.28 841.89]>>", len(pages), references(pages))
	var elements []int
	for _, e := range s.elements {
		e.number = d.add("<</S/%s/P %d 0 R/K[%s]%s>>", e.role, root, e.list(pages), e.entries)
		elements = append(elements, e.number)
	}
	for i, p := range s.pages {
		var numbers []int
		for _, e := range p.marked {
			numbers = append(numbers, e.number)
		}
		fmt.Fprintf(&owners, "%d[%s]", i, references(numbers))
	}
	d.put(root, "<</S/Document/P %d 0 R/K[%s]>>", structure, references(elements))
	d.put(structure, "<</Type/StructTreeRoot/K %d 0 R/ParentTree<</Nums[%s]>>>>", root, owners.String())
	return d.finish(s.properties)
}

func references(numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, "%d 0 R ", n)
	}
	return b.String()
}

// font adds a font with the glyphs of the characters.
func (d *pdf) font(f *font, characters []string, codes map[string]uint16, toUnicode int) int {
	var widths strings.Builder
	for _, character := range characters {
		r, _ := utf8.DecodeRuneInString(character)
		fmt.Fprintf(&widths, "%d ", f.width(r))
	}
	subset := f.subset(characters, codes)
	name := []byte("AAAAAA+" + f.name) // the name of a subset has a prefix
	for i, sum := 0, crc32.ChecksumIEEE(subset); i < 6; i, sum = i+1, sum/26 {
		name[i] += byte(sum % 26)
	}
	file := d.stream(fmt.Sprintf("/Length1 %d", len(subset)), subset)
	descriptor := d.add("<</Type/FontDescriptor/FontName/%s/Flags %d/FontBBox[-272 -303 1361 1034]/ItalicAngle %d"+
		"/Ascent 905/Descent -212/CapHeight 688/StemV %d/FontFile2 %d 0 R>>", name, f.flags, f.angle, f.stem, file)
	descendant := d.add("<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"+
		"/Supplement 0>>/CIDToGIDMap/Identity/FontDescriptor %d 0 R/W[0[%s]]>>", name, descriptor, widths.String())
	return d.add("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>",
		name, descendant, toUnicode)
}

// unicodes adds the map from codes to characters, for programs that extract text.
func (d *pdf) unicodes(characters []string) int {
	const most = 100 // characters in a list
	b := []byte("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo <</Registry(Adobe)/Ordering(UCS)/Supplement 0>> def\n/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000><ffff>\nendcodespacerange\n")
	for first := 1; first < len(characters); first += most {
		list := characters[first:min(first+most, len(characters))]
		b = fmt.Appendf(b, "%d beginbfchar\n", len(list))
		for i, character := range list {
			b = fmt.Appendf(b, "<%04x><%x>\n", first+i, utf16Bytes(character))
		}
		b = append(b, "endbfchar\n"...)
	}
	return d.stream("", append(b, "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"...))
}

// finish adds the document's properties and the table of its objects.
func (d *pdf) finish(p properties) []byte {
	day := p.day.Format("2006-01-02") + "T00:00:00Z"
	xml := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
	metadata := `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance><pdf:Producer>Aviso</pdf:Producer>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">` + xml(p.title) + `</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">` + xml(p.subject) + `</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>` + xml(p.author) + `</rdf:li></rdf:Seq></dc:creator>
<xmp:CreateDate>` + day + `</xmp:CreateDate><xmp:ModifyDate>` + day + `</xmp:ModifyDate>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`
	about := d.stream("/Type/Metadata/Subtype/XML", []byte(metadata))
	day = p.day.Format("20060102") + "000000"
	info := d.add("<</Title %s/Subject %s/Author %s/Producer(Aviso)/CreationDate(D:%s)/ModDate(D:%[4]s)>>",
		pdfText(p.title), pdfText(p.subject), pdfText(p.author), day)
	profile := d.stream("/N 3", colours)
	d.put(catalogue, "<</Type/Catalog/Pages %d 0 R/StructTreeRoot %d 0 R/MarkInfo<</Marked true>>/Lang (%s)/Metadata %d 0 R"+
		"/ViewerPreferences<</DisplayDocTitle true>>/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1"+
		"/OutputConditionIdentifier(sRGB)/DestOutputProfile %d 0 R>>]>>", pageTree, structure, p.language, about, profile)

	packed := d.stream(fmt.Sprintf("/Type/ObjStm/N %d/First %d", d.count, len(d.numbers)),
		append(d.numbers, d.packed.Bytes()...))
	at := d.buffer.Len()
	places := []byte{0, 0, 0, 0, 0, 0xFF, 0xFF} // there is no object 0
	for _, o := range append(d.objects, object{at: at}) {
		kind := byte(1)
		if o.packed {
			kind, o.at = 2, packed
		}
		places = binary.BigEndian.AppendUint32(append(places, kind), uint32(o.at))
		places = binary.BigEndian.AppendUint16(places, uint16(o.index))
	}
	id := fnv.New128a()
	_, _ = id.Write(d.buffer.Bytes())
	d.stream(fmt.Sprintf("/Type/XRef/Size %d/W[1 4 2]/Root %d 0 R/Info %d 0 R/ID[<%x><%[4]x>]",
		len(d.objects)+2, catalogue, info, id.Sum(nil)), places)
	fmt.Fprintf(&d.buffer, "startxref\n%d\n%%%%EOF\n", at)
	return d.buffer.Bytes()
}

// pdfText returns a text outside of pages.
func pdfText(text string) string { return fmt.Sprintf("<feff%x>", utf16Bytes(text)) }

func utf16Bytes(text string) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.BigEndian.AppendUint16(b, unit)
	}
	return b
}
