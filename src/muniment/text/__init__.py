"""Pure language tools shared by every room: words, passages, names, times, fences."""
