import type { DetectedCommands } from './found.ts';
import { readText } from './read-text.ts';

export function fromGo(projectDir: string): DetectedCommands {
  if (readText(projectDir, 'go.mod') === undefined) return {};
  const from = 'go.mod';
  return {
    test: { command: ['go', 'test', './...'], from },
    lint: { command: ['go', 'vet', './...'], from },
    build: { command: ['go', 'build', './...'], from },
  };
}
