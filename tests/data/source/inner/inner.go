package inner

const letters = "abcdefghijklmnop"

func Square(i int) int {
	return i * i % 1021
}

func Name(i int) string {
	name := make([]byte, 8)
	for k := range name {
		name[k] = letters[i>>(uint(k)*2)&15]
	}
	return string(name)
}
