"""Opening books: what long searches found at the positions of openings, and how a book is grown."""

from foogo.book.book import SHIPPED, Book, BookMove
from foogo.book.growth import grow

__all__ = ["SHIPPED", "Book", "BookMove", "grow"]
