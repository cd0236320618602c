"""Files that are not text, through their readers: what is cited, and which error a bad file or a missing part gives."""

# ruff: noqa: PLC0415  # libraries come with extras
from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from tests.fixtures.written_files import pdf, word

from muniment.errors import FormatError, MissingExtra
from muniment.ingest.formats import read_turns
from muniment.ingest.formats.files import image_turn
from muniment.ports import Part
from muniment.providers.readers import DocxReader, OcrReader, PdfReader, readers
from muniment.types import Kind, Role

needs_pdf = pytest.mark.skipif(find_spec("pypdf") is None, reason="pypdf is not installed")
needs_docx = pytest.mark.skipif(find_spec("docx") is None, reason="python-docx is not installed")
needs_ocr = pytest.mark.skipif(find_spec("rapidocr_onnxruntime") is None, reason="rapidocr-onnxruntime is not installed")
GIF = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"


@dataclass
class Given:
    """A reader that gives the parts it was made with."""

    given: list[Part] = field(default_factory=list)

    def parts(self, data, *, name):
        return self.given


def read(data, name, given=None):
    return read_turns(data, name=name, readers=readers() if given is None else given)


def failure(data, name, given=None):
    with pytest.raises((FormatError, MissingExtra)) as error:
        read(data, name, given)
    assert error.value.place.startswith(name)
    assert error.value.hint
    return error.value


@needs_pdf
@pytest.mark.parametrize("packed", [False, True])
def test_each_page_of_a_pdf_is_cited(packed):
    parsed = read(pdf("The boat is red.", "It sails in May.", packed=packed), "log.pdf")
    assert parsed.format == "pdf"
    assert [(t.text, t.ref, t.metadata["page"], t.origin) for t in parsed.turns] == [
        ("The boat is red.", "log.pdf, p. 1", "1", "log.pdf"),
        ("It sails in May.", "log.pdf, p. 2", "2", "log.pdf"),
    ]
    assert {(t.role, t.kind) for t in parsed.turns} == {(Role.DOCUMENT, Kind.PASSAGE)}


@needs_pdf
def test_a_locked_pdf_says_so():
    import pypdf

    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf("hidden")))
    writer.encrypt("geheim", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    assert failure(out.getvalue(), "a.pdf").code == "document_locked"


@needs_pdf
@pytest.mark.parametrize("data", [b"%PDF-1.4\n", b"%PDF-1.7\n" + b"<<" * 5000, b"%PDF-1.4\n" + bytes(range(256)) * 20])
def test_a_damaged_pdf_says_so(data):
    assert failure(data, "a.pdf").code == "document_damaged"


@needs_pdf
def test_a_pdf_cut_anywhere_gives_its_pages_or_an_error():
    whole = pdf("The boat is red.")
    for end in range(10, len(whole), 37):
        with suppress(FormatError):
            assert all("boat" in turn.text for turn in read(whole[:end], "a.pdf").turns)


@needs_pdf
def test_a_pdf_without_words_says_what_to_do():
    assert failure(pdf(""), "scan.pdf").code == "empty_content"


def test_a_page_that_cannot_be_read_is_refused_by_its_number_and_the_others_are_kept():
    given = {"pdf": Given([Part(text="one", page=1), Part(text="", page=2, fault="this page cannot be read.")])}
    parsed = read(b"%PDF-1.4", "a.pdf", given)
    assert [turn.text for turn in parsed.turns] == ["one"]
    assert [(item.place, item.reason) for item in parsed.refused] == [("a.pdf#p2", "page_unreadable")]


def plan(document):
    document.add_heading("Plan", 1)
    document.add_paragraph("We use Postgres.")
    table = document.add_table(2, 2)
    for cell, text in zip((c for row in table.rows for c in row.cells), ("Name", "Role", "Ana", "Chef"), strict=True):
        cell.text = text
    document.add_heading("Later", 2)
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("two", style="List Bullet")


@needs_docx
def test_a_word_document_is_read_in_order_with_its_headings_and_tables():
    parsed = read(word(plan), "plan.docx")
    assert parsed.format == "docx"
    assert [(turn.text.strip(), turn.metadata["heading"]) for turn in parsed.turns] == [
        ("# Plan\n\nWe use Postgres.", "Plan"),
        ("Name | Role\nAna | Chef", "Plan"),
        ("## Later\n\n- one\n- two", "Plan > Later"),
    ]
    assert {(turn.origin, turn.ref) for turn in parsed.turns} == {("plan.docx", "plan.docx")}


@needs_docx
def test_a_broken_archive_is_a_damaged_document():
    data = word(plan)
    assert failure(data[: len(data) // 2], "a.docx").code == "document_damaged"
    assert failure(data[:40] + b"word/" + data[60:-30], "a.docx").code == "document_damaged"


def archive(**members):
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(f"word/{name}.xml", data)
    return out.getvalue()


@needs_docx
def test_an_archive_that_unpacks_to_too_much_is_refused_unopened():
    assert failure(archive(document=b"a" * (201 << 20)), "bomb.docx").code == "too_large"


@needs_docx
def test_an_archive_that_is_no_document_is_damaged():
    assert failure(archive(document=b"<w:p>" * 100_000), "a.docx").code == "document_damaged"


def test_an_old_or_locked_office_file_says_so():
    assert failure(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512, "a.doc").code == "document_locked"


@pytest.mark.parametrize(
    ("data", "extra"), [(b"%PDF-1.4", "documents"), (b"PK\x03\x04..word/document.xml", "documents"), (GIF, "ocr")]
)
def test_a_file_without_a_reader_names_the_extra_that_brings_one(data, extra):
    error = failure(data, "a.bin", {})
    assert error.code == "reader_missing"
    assert f"muniment[{extra}]" in error.hint


@pytest.mark.parametrize(
    ("library", "reader", "extra"),
    [("pypdf", PdfReader, "documents"), ("docx", DocxReader, "documents"), ("PIL", OcrReader, "ocr")],
)
def test_a_reader_whose_library_is_missing_names_its_extra(library, reader, extra, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(MissingExtra) as error:
        reader().parts(b"", name="a.bin")
    assert f"muniment[{extra}]" in error.value.hint


def picture(text):
    from PIL import Image, ImageDraw

    small = Image.new("L", (12 + 7 * len(text), 24), 255)
    ImageDraw.Draw(small).text((6, 6), text, fill=0)
    out = BytesIO()
    small.resize((small.width * 4, small.height * 4), Image.Resampling.BICUBIC).save(out, "PNG")
    return out.getvalue()


@needs_ocr
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_words_in_an_image_are_read():
    parsed = read(picture("INVOICE 4821"), "scan.png")
    assert parsed.format == "image"
    assert "INVOICE" in parsed.turns[0].text
    assert "4821" in parsed.turns[0].text
    assert parsed.turns[0].origin == "scan.png"


@needs_ocr
def test_a_damaged_image_says_so():
    assert failure(b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "a.png").code == "document_damaged"


def test_an_image_is_known_by_its_caption():
    turn = image_turn("A red boat at a pier.", name="pier.png")
    assert (turn.text, turn.role, turn.kind, turn.origin) == ("A red boat at a pier.", Role.DOCUMENT, Kind.PASSAGE, "pier.png")
