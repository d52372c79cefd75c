# Writes OUTPUT, a C file with the text of INPUT as the array NAME: cmake -DINPUT= -DOUTPUT= -DNAME= -P embed.cmake
file(READ ${INPUT} hexadecimal HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hexadecimal}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
get_filename_component(file ${INPUT} NAME)
file(WRITE ${OUTPUT} "/* ${file} */\nextern const char ${NAME}[];\n\nconst char ${NAME}[] = {\n${bytes}0x00};\n")
