#!/usr/bin/env node
import { createScreen } from './output.ts';
import { runProgram } from './program.ts';

process.exitCode = await runProgram(process.argv.slice(2), createScreen());
