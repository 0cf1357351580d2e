import { describe, expect, it } from 'vitest';
import type { PlannedCommand } from '../automatic/plan-commands.ts';
import type { CommandOrigin } from '../report.ts';
import { orderCommands } from './order-commands.ts';

const from = (origin: CommandOrigin, ...commands: string[]): PlannedCommand[] =>
  commands.map((command) => ({
    command,
    source: origin === 'task' ? 'explicit' : 'automatic',
    from: origin,
  }));
const order = (commands: PlannedCommand[], ...red: string[]) =>
  orderCommands(commands, new Set(red)).map(({ command }) => command);

describe('the order of commands', () => {
  it('B-15 the cheapest check comes first, and a build stays where it is', () => {
    const project = from('project', 'npm run test', 'npm run lint', 'npm run build');
    expect(order(project)).toEqual(['npm run lint', 'npm run test', 'npm run build']);
    expect(order(from('model', 'npm run build', 'npm test', 'npx tsc --noEmit'))).toEqual([
      'npm run build',
      'npx tsc --noEmit',
      'npm test',
    ]);
  });

  it('B-15 what was red in the last pass comes before', () => {
    const project = from('project', 'npm run test', 'npm run lint');
    expect(order(project, 'npm run test')).toEqual(['npm run test', 'npm run lint']);
  });

  it('VER-01 VER-08 an order that a person gave is kept', () => {
    const list = [...from('task', 'npm test', 'npm run lint'), ...from('contract', 'jest', 'eslint .')];
    expect(order(list, 'eslint .')).toEqual(['npm test', 'npm run lint', 'jest', 'eslint .']);
  });
});
