import { installedClis } from './installed.ts';
import type { FactId, Profile } from './scenarios/profile.ts';

/**
 * Checks what our adapter of a CLI rests on. When something is no longer true the failure names the fact and the
 * version, so that a newer CLI says what it changed before anybody looks at an assertion.
 */
export function hold({ cli, facts }: Profile, fact: FactId, check: () => void): void {
  try {
    check();
  } catch (error) {
    const { installed, pinned } = installedClis().versions[cli];
    const version = installed === pinned ? installed : `${installed} (pinned: ${pinned})`;
    const detail = error instanceof Error ? error.message : String(error);
    const said = `${cli} ${version}: a fact does not hold, [${cli}.${fact}] "${facts[fact]}"`;
    throw new Error(`${said}\n${detail}`, { cause: error });
  }
}
