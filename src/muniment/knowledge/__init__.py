"""What is derived from records, and the pure rules that settle it: memories, entities, and the rules an agent remembers by.

Rule of this room: values and pure functions. Ingest fills it, curate lets people mend it, stores keep it, retrieve reads it.
"""
