#include "app/shell/help-pages.h"

#include <glib/gi18n.h>

static const WpHelpBlock first_recording[] = {
  { WP_HELP_TEXT, N_ ("Wakepath shows where the time of a program went when the answer is not inside that program: in another process, a server, a "
                      "lock or a disk.") },
  { WP_HELP_ITEM, N_ ("Press Record, type a command and press Start Recording. You may be asked for a password: only a helper that belongs to root "
                      "can record the whole system. The command itself runs as you.") },
  { WP_HELP_ITEM, N_ ("Recording ends when the command does. Stop ends it before; Discard keeps nothing. While it records, Snapshot opens what "
                      "there is so far.") },
  { WP_HELP_ITEM, N_ ("The flame view of the command opens. Read the sentences beside it first: they say what it waited for, the longest first. A "
                      "click on one leads there.") },
  { WP_HELP_ITEM, N_ ("What the command printed is in the menu, under Command’s Output. When it failed, a banner says so.") },
  { WP_HELP_PICTURE, N_ ("The dialog in which a recording is set up: a command, processes that run already, or the whole system"), "record.png" },
  { WP_HELP_ITEM, N_ ("The live view looks at the last seconds while they are recorded: which functions ran and waited, as a table and as a flame view, and what "
                      "the time of one process was spent on. Which process, and how many seconds, is chosen above it.") },
  { WP_HELP_TEXT, N_ ("To look around without recording anything, choose Open Sample in the menu.") },
  { 0 },
};

static const WpHelpBlock processes[] = {
  { WP_HELP_TEXT, N_ ("A row for each task, time from left to right. A box is a time in which the task ran. An arrow leads from who woke to who was "
                      "woken.") },
  { WP_HELP_PICTURE, N_ ("Processes: rows of tasks, with arrows between them"), "processes.png" },
  { WP_HELP_ITEM, N_ ("A click on a name opens the flame view of that process.") },
  { WP_HELP_ITEM, N_ ("Show Sleeps draws the waits, too, each with the function that waited. Summary hides tasks that hardly ran.") },
  { WP_HELP_ITEM, N_ ("Threads stand under their process, and what has nothing to do with the recorded command is one row: the triangle before a name opens "
                      "and closes them. Disks and connections have rows of their own.") },
  { WP_HELP_ITEM, N_ ("By CPU shows a row for each CPU instead: who ran there, and when. The pin that comes up beside a name, or the key P, keeps a "
                      "process at the top.") },
  { WP_HELP_ITEM, N_ ("Type into Filter tasks to see some rows only. The order of the rows is chosen beside it.") },
  { 0 },
};

static const WpHelpBlock flame[] = {
  { WP_HELP_TEXT, N_ ("Each row is a function that was called by the one below it. On top of a function that sleeps stands what it waited for: "
                      "another task, a disk or a network. Arrows lead from what woke to what was woken; those of the box under the pointer, or of the "
                      "selected one, stand out. Each process has a colour of its own, paler where the kernel works for it; the line under a box says "
                      "whether it runs (red) or sleeps (blue), and the legend names the rest.") },
  { WP_HELP_PICTURE, N_ ("Flame: a process at the bottom, what it waited for on top of it, and the wait chain above"), "flame.png" },
  { WP_HELP_TEXT, N_ ("A notch at the top of a box says that the function was pushed off its CPU there, and went on after it.") },
  { WP_HELP_ITEM, N_ ("The key 1 shows waits in words, 2 the programs’ own functions, 3 every frame. No number changes by it.") },
  { WP_HELP_ITEM, N_ ("A click on a box shows its details below: how long, whose, its stack, and what woke it. Links in it lead on.") },
  { WP_HELP_HEADING, N_ ("Getting Around") },
  { WP_HELP_TEXT, N_ ("The wheel zooms, dragging pans, a double click fits a box, and a middle click opens the flame view of its process. The keys W, "
                      "S, A and D zoom and pan, too. A right click offers more: cutting a branch, marking its time, searching for its name.") },
  { WP_HELP_ITEM, N_ ("Show the Lane It Waits For Here, in the menu of a box, draws what is done in the other lane on the wait as well: pale, and counted once.") },
  { WP_HELP_ITEM, N_ ("Ctrl+Z takes back the last change of what is seen: the process, a filter, the depth, what is hidden or marked.") },
  { WP_HELP_ITEM, N_ ("View in the menu says what the colours of flame views tell: the process, what is done, whose code it is, or the module.") },
  { WP_HELP_HEADING, N_ ("Measuring, Notes and Events") },
  { WP_HELP_ITEM, N_ ("Select a box and click on another one with Shift held: the time of both is marked, and how far it is from one to the other is said.") },
  { WP_HELP_ITEM, N_ ("The key B writes down a note at the selected moment. Flags in the axis show where notes are; a click on one opens it, and Ctrl+B lists "
                      "all. They are saved with the profile.") },
  { WP_HELP_ITEM, N_ ("Recorded Events, in the menu of a box, opens a table of what was recorded in its time, as it was recorded, with a filter.") },
  { WP_HELP_HEADING, N_ ("Words in the Picture") },
  { WP_HELP_SIGNS },
  { 0 },
};

static const WpHelpBlock consolidated[] = {
  { WP_HELP_TEXT, N_ ("The stacks of Flame without their order in time: equal ones are gathered, the longest first. The width of a box is the time that "
                      "was spent in it.") },
  { WP_HELP_PICTURE, N_ ("Consolidated: equal stacks gathered"), "consolidated.png" },
  { WP_HELP_ITEM, N_ ("Icicle turns the picture over. Inverted begins with the innermost functions.") },
  { WP_HELP_ITEM, N_ ("Collapse Recursion draws a function that calls itself once.") },
  { WP_HELP_ITEM, N_ ("A double click shows a box and what stands on it alone. Back leads out again.") },
  { 0 },
};

static const WpHelpBlock calls[] = {
  { WP_HELP_TEXT, N_ ("Functions are nodes, calls are arrows: the call graph of the process, and of what it waited for in others. A node says what its "
                      "function took by itself, and with all that it called.") },
  { WP_HELP_PICTURE, N_ ("Calls: the call graph, and the callers and callees of the selected function"), "calls.png" },
  { WP_HELP_ITEM, N_ ("The sliders hide what is small.") },
  { WP_HELP_ITEM, N_ ("A click selects a function: tables say who calls it, and whom it calls.") },
  { 0 },
};

static const WpHelpBlock system_[] = {
  { WP_HELP_TEXT, N_ ("All tasks of the recording as stacks with values: where CPUs were busy, and where threads slept. It answers how much, and not "
                      "what was waited for.") },
  { WP_HELP_PICTURE, N_ ("System: the stacks of all tasks, and the bar for values and filters"), "system.png" },
  { WP_HELP_ITEM, N_ ("Which values are counted, and what a frame stands for, is chosen in the bar above.") },
  { WP_HELP_ITEM, N_ ("A right click on a frame focuses on it, ignores it or hides it. Each such step is a chip that can be removed.") },
  { WP_HELP_ITEM, N_ ("Profiles of other programs open in the same view.") },
  { WP_HELP_HEADING, N_ ("Functions, Source and Timeline") },
  { WP_HELP_ITEM, N_ ("Functions lists what each function took by itself, and with all that it called. Beside the list stand callers and callees of the selected "
                      "one: as tables, or As Flame as one picture.") },
  { WP_HELP_ITEM, N_ ("Source shows the lines of the selected function with what each of them took, and its instructions where you ask for the disassembly. Where "
                      "a file is not found, choose the folder that has it.") },
  { WP_HELP_ITEM, N_ ("Timeline draws the stacks in the order of time, thread by thread. Mark a time there, and the other views are of that time.") },
  { 0 },
};

static const WpHelpBlock comparing[] = {
  { WP_HELP_TEXT, N_ ("Compare With, in the menu, puts another profile beside the one that is open. In the store, select two commits or profiles and press "
                      "Compare. A is what was, B is what is now.") },
  { WP_HELP_PICTURE, N_ ("A comparison: by how much it is slower, and the flame views of both sides"), "compare.png" },
  { WP_HELP_ITEM, N_ ("The headline says by how much B is slower or faster, the line below it how sure that is.") },
  { WP_HELP_ITEM, N_ ("Flame Views draws both sides on one scale. What is selected, seen or searched for on one side is so on the other one. Orange takes more time "
                      "in B, blue takes less; grey is about the same, or no more than noise.") },
  { WP_HELP_ITEM, N_ ("Vanished shows what of A is not in B. Frames lists every function by its change.") },
  { WP_HELP_ITEM, N_ ("Normalise stretches A to the length of B: then shares are compared, not times.") },
  { WP_HELP_ITEM, N_ ("Checks asks each of Perun’s rules by itself whether B is worse.") },
  { WP_HELP_HEADING, N_ ("History") },
  { WP_HELP_TEXT, N_ ("History, above the list of commits, plots a figure from commit to commit: a line for each command, and at each commit the median of its "
                      "profiles with the lowest and the highest.") },
  { WP_HELP_PICTURE, N_ ("History: what a command took, from commit to commit"), "history.png" },
  { WP_HELP_ITEM, N_ ("Figure chooses what is plotted: the total, a row of the explanation, or what one function took.") },
  { WP_HELP_ITEM, N_ ("A click on a point shows its commit. With Shift it picks a second one, and Compare compares both. A double click opens the profile.") },
  { 0 },
};

static const WpHelpBlock table[] = {
  { WP_HELP_TEXT, N_ ("The table tells what the time was spent on. Choose a category to see its boxes, and step through them with the buttons below. "
                      "Drag with Shift or with the right button to mark a time: the table is of that time alone.") },
  { WP_HELP_PICTURE, N_ ("The explanation: sentences, the longest waits, and the table"), "explanation.png" },
  { WP_HELP_HEADING, N_ ("What Time Is Spent On") },
  { WP_HELP_CATEGORIES },
  { WP_HELP_HEADING, N_ ("Words of the Explanation") },
  { WP_HELP_TERMS },
  { 0 },
};

static const WpHelpBlock store[] = {
  { WP_HELP_TEXT, N_ ("Save keeps what was explained as a profile. In a folder with a store, the side panel shows the profiles of each commit; two of "
                      "them can be compared, and any figure can be followed from commit to commit.") },
  { WP_HELP_TEXT, N_ ("A store keeps profiles with the commits of a git repository, in its folder .perun. The page Store of the side panel makes one.") },
  { WP_HELP_PICTURE, N_ ("The store: commits, each with its profiles; repeats of a command in one row"), "store.png" },
  { WP_HELP_ITEM, N_ ("Profile Commits checks each chosen commit out into a folder of its own, builds it, and records a command there, again and "
                      "again.") },
  { WP_HELP_ITEM, N_ ("Four profiles of a commit are what it takes to tell change from noise; to judge single lines of a table, six.") },
  { WP_HELP_ITEM, N_ ("Repeats of a command are one row with their median; it opens to the single runs. A commit that is significantly slower or faster "
                      "than the one before it says so.") },
  { WP_HELP_ITEM, N_ ("A comparison begins with what changed, in words. Its tables say how sure that is: by the test of Mann and Whitney, whose p are "
                      "adjusted for the number of lines tested (Benjamini and Hochberg).") },
  { WP_HELP_ITEM, N_ ("A store may come with a clone. The commands that it names are not run before you have seen and trusted them.") },
  { 0 },
};

static const WpHelpBlock stacks[] = {
  { WP_HELP_TEXT, N_ ("A stack is whole when it reaches the program’s entry. Boxes of a stack that is cut stand apart from those that they belong on, and "
                      "a banner says how many stacks are whole.") },
  { WP_HELP_ITEM, N_ ("On systems whose packages are built without frame pointers, such as Debian, the top 8 KiB of each stack are copied. What lies deeper "
                      "is missing; wakepath-cli record --stack-bytes copies more.") },
  { WP_HELP_ITEM, N_ ("Where frame pointers are followed, code that was built without them ends the stack.") },
  { WP_HELP_ITEM, N_ ("Code that is compiled while a program runs has names only where that program writes a map of it, as for perf.") },
  { WP_HELP_ITEM, N_ ("Names of functions come with a program, its debugging package, or a debuginfod server.") },
  { WP_HELP_TEXT, N_ ("A stack that was cut gets the outer callers of an earlier one of the same thread where both have the same frames. How many "
                      "were completed so is said, too.") },
  { 0 },
};

static const WpHelpBlock recorded[] = {
  { WP_HELP_TEXT, N_ ("A recording shows what every program on this system does, yours or not: its name, when it runs and waits, its files, "
                      "network addresses and functions. Only you can read it.") },
  { WP_HELP_ITEM, N_ ("No contents of memory or files are kept. Copies of stacks are turned into functions right after recording, and deleted.") },
  { WP_HELP_ITEM, N_ ("Recordings stay in your data folder, in wakepath/recordings, until you remove them, and what a command printed beside its "
                      "recording.") },
  { WP_HELP_ITEM, N_ ("What was read of a large recording is kept in your cache folder, in wakepath/opened, so that it opens again at once. It goes after "
                      "the recording has gone, when another one is kept, or when you clear it in the preferences.") },
  { WP_HELP_ITEM, N_ ("A saved profile names only the processes on its paths and those that woke them. A recording names all: think before you give "
                      "it away.") },
  { WP_HELP_ITEM, N_ ("Only the recording helper has privileges, and it gives them up before it writes. Wakepath and what it records run as you.") },
  { 0 },
};

const WpHelpPage wp_help_pages[] = {
  { "first", N_ ("First Recording"), first_recording },
  { "processes", N_ ("Processes"), processes },
  { "flame", N_ ("Flame"), flame },
  { "consolidated", N_ ("Consolidated"), consolidated },
  { "calls", N_ ("Calls"), calls },
  { "system", N_ ("System"), system_ },
  { "table", N_ ("The Explanation"), table },
  { "store", N_ ("Store and Ranges"), store },
  { "comparing", N_ ("Comparing and History"), comparing },
  { "stacks", N_ ("When Stacks Are Cut"), stacks },
  { "recorded", N_ ("What Is Recorded"), recorded },
  { 0 },
};
