import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';

const SRC = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');

/** What a person would type: the program and one of its commands, or an option of one of them. */
const COMMAND =
  /\bloopwright (?:demo|init|run|pipeline|task|board|work|runtimes|judge|restore|research|validate|graph|simulate|sessions|ps|show|watch|resume|retry|step|interrupt|abort|clean|agents|doctor|logs|attach|answer|complete|stop|diff|timeline|fork|rewind|accept|keep|discard|hold|unhold|conflicts|worktrees|config|trust)\b/;
const OPTION =
  /(?:^|[ `(])--(?:dir|json|force|yes|all|unproven|into|guidance|take-over|include-dirty|in-place|plan|notes|continue|no-wait|trust)\b/;

/** Options of git and of the agents' own programs are words for them, not for a person. */
const isAdvice = (text: string): boolean => / /.test(text) && !/\bgit\b/.test(text);

/** Titles of schemas, whose subject is the command line; a name for git; a mark in a pull request; advice about git. */
const MEANT = new Set([
  'api/json-schemas.ts',
  'project/runs/demo-project.ts: user.name=loopwright demo',
  'tasks/prepare/git/github.ts: <!-- loopwright task ',
  'workspace/git/resolve-start.ts: " branch --all',
]);

function textsOf(file: string): string[] {
  const texts: string[] = [];
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') texts.push(value);
    },
    TemplateElement: ({ value }) => {
      texts.push(value.cooked ?? value.raw);
    },
  }).visit(program);
  return texts;
}

it('no text below the command line names one of its commands or options', () => {
  const files = readdirSync(SRC, { recursive: true })
    .map(String)
    .filter(
      (file) => file.endsWith('.ts') && !/\.test\.ts$|testing\.ts$/.test(file) && !file.startsWith('cli/'),
    );
  expect(files.length).toBeGreaterThan(500);
  const found = files
    .filter((file) => !MEANT.has(file))
    .flatMap((file) => textsOf(join(SRC, file)).map((text) => ({ text, place: `${file}: ${text}` })))
    .filter(({ text }) => COMMAND.test(text) || (OPTION.test(text) && isAdvice(text)))
    .map(({ place }) => place)
    .filter((place) => !MEANT.has(place));
  expect(found).toEqual([]);
});
