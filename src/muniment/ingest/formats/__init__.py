"""Files to turns and back: chat messages, conversation sets, documents, and our own export.

One reader per shape; `reading` recognises which. Rule of this room: pure parsing, bytes in and values out; whoever calls opens
the files.
"""

from muniment.ingest.formats.export import Moved, export_lines, read_export
from muniment.ingest.formats.parsed import History, Parsed
from muniment.ingest.formats.reading import FORMATS, read_turns

__all__ = ["FORMATS", "History", "Moved", "Parsed", "export_lines", "read_export", "read_turns"]
