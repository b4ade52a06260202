// Counts primes, sorts and hashes in several ways, and profiles itself.
package main

import (
	"flag"
	"hash/fnv"
	"os"
	"runtime/pprof"
	"sort"

	"example.org/demo/inner"
)

/* sieve marks what is no prime. */
func sieve(n int) []bool {
	marked := make([]bool, n+1)
	for i := 2; i*i <= n; i++ {
		if marked[i] {
			continue
		}
		for j := i * i; j <= n; j += i {
			marked[j] = true
		}
	}
	return marked
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	a := fib(n - 1)
	b := fib(n - 2)
	return a + b
}

func hashes(words []string) uint64 {
	h := fnv.New64a()
	for _, word := range words {
		h.Write([]byte(word)) // 8 bytes
	}
	return h.Sum64()
}

func work(rounds int) uint64 {
	var sum uint64
	words := make([]string, 0, 20000)
	for i := 0; i < 20000; i++ {
		words = append(words, inner.Name(i*7919%20011))
	}
	for r := 0; r < rounds; r++ {
		primes := sieve(2000000)
		sum += uint64(fib(30))
		for i := range primes {
			if !primes[i] {
				sum += uint64(inner.Square(i))
			}
		}
		sorted := append([]string(nil), words...)
		sort.Strings(sorted)
		sum += hashes(sorted)
	}
	return sum
}

func main() {
	profile := flag.String("o", "cpu.pb.gz", "profile")
	rounds := flag.Int("n", 60, "rounds")
	flag.Parse()
	file, err := os.Create(*profile)
	if err != nil {
		panic(err)
	}
	pprof.StartCPUProfile(file)
	sum := work(*rounds)
	pprof.StopCPUProfile()
	println(sum)
}
