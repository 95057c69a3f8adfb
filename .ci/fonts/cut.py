#!/usr/bin/env python3
"""Cuts the fonts of letters from larger ones, and writes their colour profile.

Run it with .ci/need fonttools && .tools/fonts/bin/python .ci/fonts/cut.py.

Liberation Sans draws nearly all characters. Noto Sans draws the Latin ones that it
lacks. The fonts have no hinting, which only small screens need, and no kerning, which
letters do not apply. Each character has a glyph of its own without components, in the
order of the characters, so font.go needs neither a character map nor a glyph's
components. The same sources give the same bytes.
"""

import gzip
import io
import json
import pathlib
import struct
import subprocess
import unicodedata

import fontpkg_noto_sans
from fontTools import subset
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

LIBERATION = "github.com/go-fonts/liberation@v0.3.3"
LIBERATION_SUM = "h1:tM/T2vEOhjia6v5krQu8SDDegfH1SfXVRUNNKpq0Usk="
LETTER = pathlib.Path(__file__).parents[2] / "internal" / "cancellation" / "letter"

# Each face with its weight and Noto's file.
FACES = {"regular": (400, "NotoSans"), "bold": (700, "NotoSans"), "italic": (400, "NotoSans-Italic")}

# Latin letters that only phoneticians write, not people in their names.
PHONETIC = [(0x1D00, 0x1DBF), (0xAB30, 0xAB6F)]
# What the fonts may hold besides Latin: Greek, Cyrillic, punctuation, currencies,
# numbers, signs, and the frames and blocks of old code pages.
OTHERS = [(0x20, 0x52F), (0x2010, 0x203E), (0x2044, 0x2044), (0x2070, 0x209C), (0x20A0, 0x20CF), (0x2100, 0x26FF)]


# What Noto Sans draws besides: superscripts and subscripts, of which Liberation Sans has
# only some, and a Latin letter whose name does not say so.
ALSO = [(0x2070, 0x209C), (0x2132, 0x2132)]
SPACES = {0x20, 0xA0}
# Combining marks, all by Noto Sans: those of DIN 91379, and their neighbours. Letters compose them with what is
# before them, so they have no width.
MARKS = [(0x300, 0x331), (0x35F, 0x35F)]


def within(code, blocks):
    return any(first <= code <= last for first, last in blocks)


def latin(code):
    return unicodedata.name(chr(code)).startswith("LATIN") and not within(code, PHONETIC)


def wanted(code):
    """Reports whether a character may be in the fonts: visible, composed, and in a font
    for everybody, or a mark."""
    character = chr(code)
    if within(code, MARKS):
        return True
    if unicodedata.category(character)[0] not in "LNPS" or unicodedata.normalize("NFC", character) != character:
        return code in SPACES
    return code <= 0xFFFF and (latin(code) or within(code, OTHERS))


def liberation(face):
    module = json.loads(subprocess.check_output(["go", "mod", "download", "-json", LIBERATION]))
    if module["Sum"] != LIBERATION_SUM:
        raise SystemExit(f"{LIBERATION} has the sum {module['Sum']}, want {LIBERATION_SUM}")
    file = f"liberationsans{face}/LiberationSans-{face.title()}.ttf"
    return TTFont(pathlib.Path(module["Dir"]) / file, recalcTimestamp=False)


def noto(face):
    weight, name = FACES[face]
    files = pathlib.Path(fontpkg_noto_sans.__file__).parent / "files"
    return instancer.instantiateVariableFont(TTFont(files / f"{name}[wdth,wght].ttf"), {"wght": weight, "wdth": 100})


def cut(font):
    """Leaves the box of what a font lacks, and the space."""
    options = subset.Options(hinting=False, layout_features=[], glyph_names=False, notdef_outline=True)
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "FFTM", "gasp"]
    options.name_IDs = [0, 14]  # copyright and licence
    options.name_languages = [0x409]
    options.symbol_cmap = options.legacy_cmap = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[0x20])
    subsetter.subset(font)


def add(font, source, code):
    """Copies the glyph of a character."""
    scale = font["head"].unitsPerEm / source["head"].unitsPerEm
    glyphs, drawn = source.getGlyphSet(), source.getBestCmap()[code]
    recording, pen = DecomposingRecordingPen(glyphs), TTGlyphPen(None)
    glyphs[drawn].draw(recording)
    recording.replay(TransformPen(pen, (scale, 0, 0, scale, 0, 0)))
    name = f"u{code:04X}"
    font["glyf"][name] = glyph = pen.glyph()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (round(glyphs[drawn].width * scale), glyph.xMin)
    for table in font["cmap"].tables:
        table.cmap[code] = name


def rename(font, face):
    """Gives the font a name of its own, as the licence of a changed font demands."""
    family = "Aviso Letter"
    names = {1: family, 2: face.title(), 4: f"{family} {face.title()}", 6: f"AvisoLetter-{face.title()}"}
    for name_id, text in names.items():
        font["name"].setName(text, name_id, 3, 1, 0x409)


def go_table(codes):
    """Returns the characters as the ranges of a Go table, five to a line."""
    ranges = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    texts = [f"{{0x{first:04x}, 0x{last:04x}, 1}}," for first, last in ranges]
    lines = "\n".join("\t\t" + " ".join(texts[i : i + 5]) for i in range(0, len(texts), 5))
    latin = sum(last <= 0xFF for _, last in ranges)
    return f"""// Code generated by .ci/fonts/cut.py; DO NOT EDIT.

package letter

import "unicode"

// glyphs are the characters that all faces can print, except spaces. The table makes it
// possible to check a text without parsing the fonts, which only writing a letter does.
// A test compares it with the fonts.
var glyphs = &unicode.RangeTable{{
	R16: []unicode.Range16{{
{lines}
	}},
	LatinOffset: {latin},
}}
"""


def srgb():
    """Returns an ICC profile (version 2) of sRGB, with a gamma of 2.2 for its curve."""

    def fixed(*values):
        return b"".join(struct.pack(">i", round(value * 65536)) for value in values)

    def xyz(*values):
        return b"XYZ \0\0\0\0" + fixed(*values)

    white, name = (0.9642, 1, 0.8249), b"sRGB\0"
    tags = {
        b"desc": struct.pack(">4sII", b"desc", 0, len(name)) + name + bytes(4 + 4 + 2 + 1 + 67),
        b"cprt": b"text\0\0\0\0CC0\0",
        b"wtpt": xyz(*white),
        b"rXYZ": xyz(0.4360, 0.2225, 0.0139),
        b"gXYZ": xyz(0.3851, 0.7169, 0.0971),
        b"bXYZ": xyz(0.1431, 0.0606, 0.7141),
        b"rTRC": struct.pack(">4sIIH", b"curv", 0, 1, round(2.2 * 256)),
    }
    tags[b"gTRC"] = tags[b"bTRC"] = tags[b"rTRC"]
    table, data, at = b"", b"", 128 + 4 + 12 * len(tags)
    for tag, value in tags.items():
        table += struct.pack(">4sII", tag, at + len(data), len(value))
        data += value + bytes(-len(value) % 4)
    header = struct.pack(
        ">I4xI4s4s4s6H4s28x12s48x", at + len(data), 0x02100000, b"mntr", b"RGB ", b"XYZ ", 2026, 1, 1, 0, 0, 0, b"acsp", fixed(*white)
    )
    return header + struct.pack(">I", len(tags)) + table + data


def main():
    (LETTER / "fonts" / "srgb.icc").write_bytes(srgb())
    fonts = {face: liberation(face) for face in FACES}
    sources = {face: noto(face) for face in FACES}
    own = {
        code
        for code in set.intersection(*(set(font.getBestCmap()) for font in fonts.values()))
        if wanted(code) and not within(code, MARKS)
    }
    lent = {
        code
        for code in set.intersection(*(set(font.getBestCmap()) for font in sources.values())) - own
        if wanted(code) and (latin(code) or within(code, ALSO + MARKS))
    }
    # Letters write some towns in capitals.
    capital = {code: chr(code).upper() for code in own | lent}
    own -= {code for code in own if len(capital[code]) == 1 and ord(capital[code]) not in capital}
    drawn = sorted((own | lent) - SPACES)
    for face, font in fonts.items():
        source = liberation(face)
        cut(font)
        for code in drawn:
            add(font, source if code in own else sources[face], code)
        rename(font, face)
        # A letter with its marks is a glyph of glyphs, which marks.go adds.
        maxp = font["maxp"]
        maxp.recalc(font)
        maxp.maxComponentElements, maxp.maxComponentDepth = 32, 1
        maxp.maxCompositePoints, maxp.maxCompositeContours = 8 * maxp.maxPoints, 8 * maxp.maxContours
        font.recalcBBoxes = False
        file = io.BytesIO()
        font.save(file)
        (LETTER / "fonts" / f"{face}.ttf.gz").write_bytes(gzip.compress(file.getvalue(), mtime=0))
        # font.go reads a width and an offset of four bytes for each glyph.
        if not font["hhea"].numberOfHMetrics == font["maxp"].numGlyphs == len(drawn) + 2:
            raise SystemExit(f"{face} has {font['hhea'].numberOfHMetrics} widths for {font['maxp'].numGlyphs} glyphs")
        if font["head"].indexToLocFormat != 1:
            raise SystemExit(f"{face} has short offsets")
    (LETTER / "glyphs.go").write_text(go_table(drawn))


if __name__ == "__main__":
    main()
