import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../cli/support.ts';
import { consumerFolder, runScript } from './consumer.ts';

const agent = (program: string, ...args: string[]) => `{
  name: '${program}',
  getLaunchConfig: () => ({
    command: process.execPath,
    args: ${JSON.stringify([join(ROOT, 'test/fake-agents', `${program}.mjs`), ...args])},
  }),
}`;

describe.each(['AgentRunner', 'HeadlessRunner'])('%s of the package, in a plain program', (runner) => {
  it('needs an adapter and a folder, nothing else', async () => {
    const { code, stdout, stderr } = await runScript(
      consumerFolder(),
      `import { ${runner} } from 'loopwright';
       const runner = new ${runner}({ adapter: ${agent('echo')}, cwd: process.cwd() });
       let said = '';
       runner.events.subscribe((event) => {
         if (event.type !== 'data') return;
         said += event.clean;
         if (said.includes('Pong')) runner.stop();
         else if (said.includes('ready') && !said.includes('Ping')) runner.send('Ping\\n');
       });
       await runner.start();
       const end = await runner.ended;
       console.log(end.kind, said.includes('Pong'));`,
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'stopped true\n', stderr: '' });
  });

  it('gives its agent the environment of the program, without what would mislead it', async () => {
    const folder = consumerFolder();
    const { code, stdout } = await runScript(
      folder,
      `import { ${runner} } from 'loopwright';
       const adapter = {
         name: 'env',
         getLaunchConfig: () => ({
           command: process.execPath,
           args: ['-p', 'JSON.stringify([process.env.MINE, process.env.GIT_DIR])'],
         }),
       };
       const runner = new ${runner}({ adapter, cwd: process.cwd() });
       await runner.start();
       await runner.ended;
       console.log(runner.tail().trim());`,
      { MINE: 'yes', GIT_DIR: '/elsewhere' },
    );
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '["yes",null]' });
  });

  it('hides the secrets of the masker it is given', async () => {
    const { stdout } = await runScript(
      consumerFolder(),
      `import { ${runner}, createMasker } from 'loopwright';
       const runner = new ${runner}({
         adapter: ${agent('answer', 'the key is hunter2hunter2\n')},
         cwd: process.cwd(),
         masker: createMasker(['hunter2hunter2']),
       });
       await runner.start();
       await runner.ended;
       console.log(runner.tail().trim());`,
    );
    expect(stdout.trim()).toBe('the key is ***');
  });

  it('says what is missing or wrong', async () => {
    const { code, stdout } = await runScript(
      consumerFolder(),
      `import { ${runner}, UsageError } from 'loopwright';
       const adapter = ${agent('echo')};
       const wrong = [
         undefined,
         { cwd: '.' },
         { adapter: { name: 'x' }, cwd: '.' },
         { adapter },
         { adapter, cwd: '.', masker: {} },
         { adapter, cwd: '.', timeoutMs: 'soon' },
         { adapter, cwd: 5 },
         { adapter, cwd: '.', env: 5 },
         { adapter, cwd: '.', logFile: 5 },
         { adapter, cwd: '.', cancel: 5 },
         { adapter, cwd: '.', size: 5 },
       ];
       for (const options of wrong) {
         try {
           new ${runner}(options);
         } catch (error) {
           console.log(error instanceof UsageError, error.kind, error.next.id, error.message);
         }
       }`,
    );
    const problems = [
      'the option "adapter" is missing',
      'the option "adapter" is missing',
      '"adapter" has no getLaunchConfig(mode, prompt)',
      'the option "cwd" is missing',
      '"masker" is not a masker, which createMasker(secrets) makes',
      '"timeoutMs" must be a number of milliseconds',
      '"cwd" must be the path of a folder',
      '"env" must be an object of variables',
      '"logFile" must be the path of a file',
      '"cancel" must be an AbortSignal',
      '"size" must be { columns, rows }',
    ];
    expect(stdout.trim().split('\n')).toEqual(
      problems.map((problem) => `true invalid advise ${runner} cannot be made: ${problem}.`),
    );
    expect(code).toBe(0);
  });
});
