import { describe, expect, it } from 'vitest';
import { requireManifest } from './compile.ts';
import { drawGraph, mermaid } from './graph.ts';
import type { ResolvedManifest } from './resolved.ts';

const on = (ways: { [signal: string]: string }) =>
  Object.entries(ways).map(([signal, action]) => ({ on_signal: `SIGNAL:${signal}`, action }));

const { manifest } = requireManifest({
  nodes: {
    Feature: {
      entry_block: 'Generate',
      blocks: {
        Generate: {
          worker: 'Coder',
          transitions: on({ SUCCESS: 'CALL:Check', FAIL_DEFAULT: 'HALT_AND_FLAG' }),
        },
        Docs: { worker: 'Writer', transitions: [] },
      },
    },
    Check: {
      entry_block: 'Test',
      context_inheritance: false,
      blocks: {
        Fix: { worker: 'Coder', transitions: on({ SUCCESS: 'JUMP:Test' }) },
        Test: {
          worker: 'Internal:TestRunner',
          limits: { visits: 5, sameFailure: 2 },
          transitions: on({ SUCCESS: 'RETURN', FAILURE: 'JUMP:Fix', LIMIT_REACHED: 'CALL:Ask' }),
        },
      },
    },
    Ask: {
      entry_block: 'Ask',
      blocks: { Ask: { worker: 'Human', transitions: on({ YES: 'JUMP:Feature__Docs' }) } },
    },
  },
  gates: ['Check__Test'],
});

describe('drawGraph', () => {
  it('ENG-06 shows nodes, blocks, workers, arrows, entries, limits, gates and ways back', () => {
    expect(drawGraph(manifest)).toBe(
      [
        '╭─ Feature ───────────────────────────────────────────────────────────╮',
        '│ ▶ Generate  Coder                                                   │',
        '│     SUCCESS      ─▶ call Check__Test, then Docs                     │',
        '│     FAIL_DEFAULT ─▶ halt for a person                               │',
        '│   Docs      Writer                                                  │',
        '│     ends here                                                       │',
        '╰─────────────────────────────────────────────────────────────────────╯',
        '╭─ Check ─────────────────────────────────────────────────────────────╮',
        '│   (sees no memory of its callers)                                   │',
        '│   Fix   Coder                                                       │',
        '│     SUCCESS ─↺ Test                                                 │',
        '│ ▶ Test  Internal:TestRunner  ◆ gate  limit visits 5, same failure 2 │',
        '│     SUCCESS       ─▶ return                                         │',
        '│     FAILURE       ─▶ Fix                                            │',
        '│     LIMIT_REACHED ─▶ call Ask__Ask, then return                     │',
        '╰─────────────────────────────────────────────────────────────────────╯',
        '╭─ Ask ───────────────────────────────────────────────────────────────╮',
        '│ ▶ Ask  Human                                                        │',
        '│     YES ─▶ Feature__Docs                                            │',
        '╰─────────────────────────────────────────────────────────────────────╯',
      ].join('\n'),
    );
  });

  it('ENG-08 draws the start node first and marks it', () => {
    const drawn = drawGraph(manifest, { start: 'Ask' }).split('\n');
    expect(drawn[0]).toContain('─ Ask (start) ─');
    expect(drawn.filter((line) => line.includes('(start)'))).toHaveLength(1);
  });

  it('ENG-06 keeps the box straight for wide and combined characters', () => {
    const { manifest: wide } = requireManifest({
      検証: { entry_block: 'e\u0301', blocks: { 'e\u0301': { worker: '🤖', transitions: [] } } },
    });
    expect(drawGraph(wide).split('\n')).toEqual([
      '╭─ 検証 ────────╮',
      '│ ▶ e\u0301  🤖       │',
      '│     ends here │',
      '╰───────────────╯',
    ]);
  });

  it('ENG-06 draws a chain longer than the call stack', () => {
    const count = 20_000;
    const blocks = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `B${index}`,
        { worker: 'w', transitions: index + 1 < count ? on({ S: `JUMP:B${index + 1}` }) : [] },
      ]),
    );
    const { manifest: chain } = requireManifest({ A: { entry_block: 'B0', blocks } });
    expect(drawGraph(chain)).not.toContain('↺');
  });
});

describe('mermaid', () => {
  it('ENG-06 is a flowchart with a subgraph per node', () => {
    expect(mermaid(manifest).trimEnd().split('\n')).toEqual([
      'flowchart TD',
      '  subgraph n0["Feature"]',
      '    b0(["Generate<br/>Coder"])',
      '    b1["Docs<br/>Writer"]',
      '  end',
      '  subgraph n1["Check"]',
      '    b2["Fix<br/>Coder"]',
      '    b3(["Test<br/>Internal:TestRunner<br/>limit visits 5, same failure 2<br/>gate"])',
      '  end',
      '  subgraph n2["Ask"]',
      '    b4(["Ask<br/>Human"])',
      '  end',
      '  b0 ==>|"SUCCESS: call"| b3',
      '  b0 -.->|"after the call"| b1',
      '  b0 -->|"FAIL_DEFAULT"| b0_halt{{halt}}',
      '  b2 -->|"SUCCESS"| b3',
      '  b3 -->|"SUCCESS"| b3_return((return))',
      '  b3 -->|"FAILURE"| b2',
      '  b3 ==>|"LIMIT_REACHED: call"| b4',
      '  b3 -.->|"after the call"| b3_return((return))',
      '  b4 -->|"YES"| b1',
    ]);
  });

  it('ENG-06 escapes what would end a label', () => {
    const hostile: ResolvedManifest = requireManifest({
      'a"]b': {
        entry_block: 'end',
        blocks: {
          end: { worker: '<script>`#1', transitions: [{ on_signal: 'SIGNAL:x"|y', action: 'RETURN' }] },
        },
      },
    }).manifest;
    expect(mermaid(hostile)).toBe(
      [
        'flowchart TD',
        '  subgraph n0["a#34;#93;b"]',
        '    b0(["end<br/>#60;script#62;#96;#35;1"])',
        '  end',
        '  b0 -->|"x#34;#124;y"| b0_return((return))',
        '',
      ].join('\n'),
    );
  });
});
