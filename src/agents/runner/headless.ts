import { TextView } from '../interaction/text-view.ts';
import { launchHeadless } from './headless-process.ts';
import { ProcessRunner } from './process-runner.ts';
import type { RunnerOptions } from './runner.ts';

/** Runs an agent without a terminal: two pipes out, one in. */
export class HeadlessRunner extends ProcessRunner {
  override readonly kind = 'headless';
  protected override readonly view = new TextView();
  protected override readonly launch = launchHeadless;

  constructor(options: RunnerOptions) {
    super('headless', options);
  }
}
