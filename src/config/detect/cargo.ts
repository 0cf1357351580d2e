import type { DetectedCommands } from './found.ts';
import { readText } from './read-text.ts';

export function fromCargo(projectDir: string): DetectedCommands {
  if (readText(projectDir, 'Cargo.toml') === undefined) return {};
  const from = 'Cargo.toml';
  return {
    test: { command: ['cargo', 'test'], from },
    lint: { command: ['cargo', 'clippy', '--', '-D', 'warnings'], from },
    build: { command: ['cargo', 'build'], from },
  };
}
