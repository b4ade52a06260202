"""Test Anything Protocol for the live tests: check() each thing, end() at the end."""
import sys

count = failed = 0


def check(name, condition, detail=''):
    global count, failed
    count += 1
    failed += not condition
    print(f"{'ok' if condition else 'not ok'} {count} {name}", flush=True)
    if not condition and detail != '':
        print('# ' + str(detail)[:2000].replace('\n', '\n# '), flush=True)


def end():
    """Prints the plan and returns the exit status."""
    print(f'1..{count}')
    sys.stdout.flush()
    return 1 if failed else 0
