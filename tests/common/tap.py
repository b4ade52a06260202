"""Test Anything Protocol for the live tests: check() each thing, end() at the end."""
import sys

count = failed = 0
held = None  # what thrice() looks at: (name, condition, detail) of each check


def check(name, condition, detail=''):
    global count, failed
    if held is not None:
        held.append((name, condition, detail))
        return
    count += 1
    failed += not condition
    print(f"{'ok' if condition else 'not ok'} {count} {name}", flush=True)
    if not condition and detail != '':
        print('# ' + str(detail)[:2000].replace('\n', '\n# '), flush=True)


def retried(what):
    """Says that something is done once more since it did not hold; the summary of a run counts these."""
    print('# retried: ' + ' '.join(str(what).split())[:300], flush=True)


def checks_of(look):
    global held
    held = []
    look()
    found, held = held, None
    return found


def thrice(look):
    """Runs look(), which records and checks. What is wrong must be right both times that it is run again: some virtual machines
    hide all events of an agent of their own, which now and then runs just where a task is woken, and that is in no recording."""
    found = checks_of(look)
    if not all(right for _, right, _ in found):
        again = list(zip(checks_of(look), checks_of(look)))
        check('all three recordings were checked as far', len(again) == len(found))
        for i, (wrong, (second, third)) in enumerate(zip(found, again)):
            if not wrong[1]:
                retried(f'{wrong[0]}: {wrong[2]}')
                found[i] = third if second[1] else second
    for one in found:
        check(*one)


def end():
    """Prints the plan and returns the exit status."""
    print(f'1..{count}')
    sys.stdout.flush()
    return 1 if failed else 0
