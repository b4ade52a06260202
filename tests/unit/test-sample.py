#!/usr/bin/python3
"""The bundled sample: small, opens to sensible numbers, and names nothing but its workload.

It is a recording of tests/workloads/tour, saved:
    wakepath-cli record -o tour.data -- tour 6
    wakepath-cli save tour.data --task tour -o data/sample.perf
made under the host name "tour", whose mention is taken out, with the folder and what the machine adds to its kernel's name.
"""
import json, os, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'common'))
from tap import check, end

cli, sample = sys.argv[1:3]


text = open(sample).read()
profile = json.loads(text)
names = {task['name'] for task in profile['wakepath']['tasks']}
modules = {frame['module'] for frames in profile['chunks'].values() for frame in frames}
report = json.loads(subprocess.run([cli, 'report', sample, '--format', 'json'], check=True, capture_output=True, text=True).stdout)
ns = {c['id']: c['ns'] for c in report['categories']}

check('it is small', os.path.getsize(sample) < 512 * 1024)
check('several processes', {'tour', 'tour-server', 'tour-store'} <= names and report['processes'] == 3, names)
check('no other process', all(name.startswith('tour') or name == 'vda' for name in names), names)
check('no host name', 'host' not in profile['collector_info']['params'])
check('no private path', all(module.startswith(('/usr/', '[')) for module in modules) and '/home' not in text
      and '/root' not in text and '/tmp' not in text, modules)
check('a disk operation', ns['blocking-io'] > 0)
check('a deliberate sleep and a timeout', ns['deliberate-sleep'] > 0 and ns['timed-out'] > 0)
check('it is explained', report['percent_accounted'] > 99.9)
check('it sums', sum(ns.values()) == report['total_ns'])
folded = subprocess.run([cli, 'flame', sample, '--format', 'folded'], check=True, capture_output=True, text=True).stdout
check('an exchange over loopback: a stack reaches through all three processes',
      any(';tour-server;' in line and ';tour-store;' in line and ';check_stock' in line for line in folded.splitlines()))
sys.exit(end())
