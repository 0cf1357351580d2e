import type { Command } from 'commander';
import { money } from '../../../kernel/words.ts';
import type { SpendView } from '../../../project/upkeep/budget.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { table } from '../../display/table.ts';
import { parseRaise } from '../../option-values.ts';

interface BudgetOptions extends ProjectOptions {
  readonly today?: string;
}

export function declareBudget(program: Command, cli: Cli): void {
  program
    .command('budget')
    .description('show what all sessions used today and in all, and let today use more')
    .option('--today <more>', 'let today use more, such as usd=5 or +5, tokens=100000 or runs=3')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: BudgetOptions) => budget(cli, options)));
}

async function budget(cli: Cli, options: BudgetOptions): Promise<void> {
  const { screen } = cli;
  const raise = options.today === undefined ? undefined : parseRaise(options.today);
  const project = await cli.open(options);
  const view = await project.budget(raise === undefined ? {} : { raise });
  if (options.json) return cli.json(view);
  const lines = table(['', 'today', 'project', 'may still be used by what runs'], rowsOf(view), screen);
  for (const line of lines) screen.line(line);
  if (raise) screen.line(screen.style.dim('Sessions that were parked for it continue with resume.'));
}

const NAMES = { usd: 'USD', tokens: 'tokens', runs: 'runs' } as const;

function shown(unit: keyof typeof NAMES, value: number): string {
  return unit === 'usd' ? money(value) : String(value);
}

function ofLimit(unit: keyof typeof NAMES, { spent, most }: SpendView['today']): string {
  const limit = most[unit];
  return `${shown(unit, spent[unit])}${limit === undefined ? '' : ` of ${shown(unit, limit)}`}`;
}

function rowsOf({ today, project, reserved }: SpendView): string[][] {
  return (['usd', 'tokens', 'runs'] as const).map((unit) => [
    NAMES[unit],
    ofLimit(unit, today),
    ofLimit(unit, project),
    unit === 'runs' ? '' : shown(unit, reserved[unit]),
  ]);
}
