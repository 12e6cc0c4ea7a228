module backlottest

go 1.19
