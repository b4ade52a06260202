#!/usr/bin/python3
"""Call graphs beside Racket itself: it renders our JSON as we do, we read what it writes, and of one run of its sampler both find the same, calls and
order and all. Graphviz takes our graphs.

test-calls-racket.py CLI SOURCE_ROOT"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
import tap

CLI, ROOT = sys.argv[1:3]
CASES = os.path.join(ROOT, 'tests', 'data', 'callgraph', 'cases')
FOLDER = tempfile.TemporaryDirectory(prefix='wakepath-racket-')

# Reads each call graph, and writes it as text and as JSON.
RENDER = '''#lang racket/base
(require json profile/render-json profile/render-text)
(for ([file (current-command-line-arguments)])
  (define read (json->profile (call-with-input-file file read-json)))
  (with-output-to-file (string-append file ".text") (lambda () (render read #:hide-self 0 #:hide-subs 0)))
  (with-output-to-file (string-append file ".again") (lambda () (write-json (profile->json read)))))
'''

# Two threads at work, sampled; the samples, and what Racket makes of them.
SAMPLE = '''#lang racket/base
(require json profile/sampler profile/analyzer profile/render-json (file "{module}"))
(define (spin n) (for/fold ([x 0]) ([i (in-range n)]) (modulo (+ (* x 31) i) 1000003)))
(define (fib n) (if (< n 2) (+ 0 (spin 40)) (+ (fib (- n 1)) (fib (- n 2)))))
(define (even-step n) (if (= n 0) (+ 1 (spin 20000)) (+ 1 (odd-step (- n 1)))))
(define (odd-step n) (if (= n 0) (+ 1 (spin 10000)) (+ 1 (even-step (- n 1)))))
(define (work) (let loop ([x 0]) (if (enough?) x (loop (+ (fib 14) (even-step 7) (odd-step 4))))))
(set!-values (spin fib even-step odd-step work) (values spin fib even-step odd-step work)) ; none of them is inlined
(define threads '())
(define sampler #f)
(define (enough?) (> (length (cdr (sampler 'get-snapshots))) 400))
(define go (make-semaphore 0))
(set! threads (for/list ([i 2]) (thread (lambda () (semaphore-wait go) (work)))))
(set! sampler (create-sampler threads 0.001))
(for ([t threads]) (semaphore-post go))
(for-each thread-wait threads)
(sampler 'stop)
(define data (sampler 'get-snapshots))
(save-samples data "samples.json")
(call-with-output-file "analysis.json" (lambda (out) (write-json (profile->json (analyze-samples data)) out)))
'''


def calls(*words):
    done = subprocess.run([CLI, 'calls', *words], capture_output=True, text=True, encoding='utf-8')
    return done.stdout if done.returncode == 0 else f'exit status {done.returncode}: {done.stderr}'


def racket(script, *words):
    path = os.path.join(FOLDER.name, 'script.rkt')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(script)
    return subprocess.run(['racket', path, *words], cwd=FOLDER.name, capture_output=True, text=True, env={**os.environ, 'PLTADDONDIR': FOLDER.name})


def write(name, text):
    path = os.path.join(FOLDER.name, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def rounded(value):
    """Of a JSON document numbers to 12 digits."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f'{value:.12g}') if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def first_difference(a, b, place=''):
    if isinstance(a, dict) and isinstance(b, dict) and set(a) == set(b):
        return next(filter(None, (first_difference(a[key], b[key], f'{place}.{key}') for key in a)), None)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return next(filter(None, (first_difference(x, y, f'{place}[{i}]') for i, (x, y) in enumerate(zip(a, b)))), None)
    return None if a == b else f'{place}: {str(a)[:200]} instead of {str(b)[:200]}'


# Racket reads a source of which only the position is known as if that was a column.
NAMES = [name[:-len('.json')] for name in sorted(os.listdir(CASES)) if not name.startswith('19-')]


def check_rendering():
    ours = {name: write(f'{name}.json', calls('--by', 'line', '--format', 'json', os.path.join(CASES, f'{name}.json'))) for name in NAMES}
    done = racket(RENDER, *ours.values())
    tap.check('Racket reads our JSON', done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    for name, path in ours.items():
        text = calls('--hide-self', '0', '--hide-subs', '0', path)
        tap.check(f'Racket shows {name} as we do', read(path + '.text').strip('\n') == text.strip('\n'), f'{read(path + ".text")}\n---\n{text}')
        again = calls('--format', 'json', path + '.again')
        tap.check(f'we read what Racket writes of {name}', rounded(json.loads(again)) == rounded(json.loads(read(path))),
                  first_difference(rounded(json.loads(again)), rounded(json.loads(read(path)))))


def check_sampler():
    done = racket(SAMPLE.replace('{module}', os.path.join(ROOT, 'data', 'wakepath-samples.rkt')))
    tap.check('Racket samples a program and saves that', done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    samples, theirs = os.path.join(FOLDER.name, 'samples.json'), json.loads(read(os.path.join(FOLDER.name, 'analysis.json')))
    ours = json.loads(calls('--by', 'line', '--format', 'json', samples))
    for node in ours['nodes'] + theirs['nodes']: # Racket leaves the folder out where it is its own
        node['src'] = node['src'] and os.path.basename(node['src'])
    tap.check('there is something to compare', len(theirs['nodes']) > 5 and len(theirs['thread_times']) == 2 and theirs['total_time'] > 0, str(theirs)[:500])
    tap.check('both find the same in it', rounded(ours) == rounded(theirs), first_difference(rounded(ours), rounded(theirs)))
    top = subprocess.run([CLI, 'top', samples], capture_output=True, text=True)
    tap.check('its samples are stacks, too', top.returncode == 0 and 'fib' in top.stdout, top)


def check_graphviz():
    for name in NAMES:
        for limits in ([], ['--hide-self', '0', '--hide-subs', '0']):
            done = subprocess.run(['dot', '-Tplain'], input=calls('--format', 'dot', *limits, os.path.join(CASES, f'{name}.json')),
                                  capture_output=True, text=True)
            tap.check(f'dot draws {name} {" ".join(limits)}', done.returncode == 0 and done.stderr == '', done.stderr)


for tool, check in (('racket', check_rendering), ('racket', check_sampler), ('dot', check_graphviz)):
    if shutil.which(tool):
        check()
    else:
        tap.check(f'{check.__name__} # SKIP there is no {tool}', True)
sys.exit(tap.end())
