// A real process that prepares a task, does its work and delivers it. argv: <request as JSON>
import { writeFileSync } from 'node:fs';
import { loadConfig } from '../../dist/config/load-config.js';
import { prepareFor } from '../../dist/tasks/prepare/prepare-for.js';
import { baselineOf } from '../../dist/workers/checks-used.js';

const { dir, mode, claim, request } = JSON.parse(process.argv[2]);
const repository = { url: '', base: 'main', path: '', workspace: '', api: '' };
const config = loadConfig(dir);
const checks = (_claim, folder) => baselineOf([{ kind: 'test' }], config.commands)(folder);
const prepare = prepareFor(mode, { config, repository, checks });
const tree = await prepare(claim, new AbortController().signal);
writeFileSync(`${tree.path}/made.txt`, 'made\n');
await tree.taskTree.changes();
await tree.deliver(request);
