"""Spinners of the lowest class on every CPU (the workloads' `keepcpu`): some virtual machines drop the events in the context of an idle
task, always on one CPU and now and then on others; what plays the idle task there is recorded.
"""
import os, subprocess

NAME = 'keepcpu'  # all of them are named so


class Spinners:
    """In place while it is entered."""

    def __init__(self, workloads):
        self.command, self.processes = f'{workloads}/keepcpu', []
        self.options = ['--idle-task', NAME]

    def __enter__(self):
        for cpu in sorted(os.sched_getaffinity(0)):
            self.processes.append(subprocess.Popen([self.command, str(cpu)], stdout=subprocess.PIPE))
            self.processes[-1].stdout.readline()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
            process.stdout.close()
