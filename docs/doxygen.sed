# An XML element that a sentence of a header names is no markup for doxygen.
/^#/b
/^ \*     /b
s,<\([a-z/]\),\&lt;\1,g
