import { isJsonObject, type JsonValue } from '../kernel/json.ts';
import type { AgentEvent } from './event.ts';

/** What an agent looked at on the web, by what its own tools report: never by what it says. */
export interface WebUse {
  /** Addresses that a fetch brought, or that a search showed. */
  readonly fetched: readonly string[];
  /** What it searched for. */
  readonly searched: readonly string[];
}

/** The CLIs and the servers of tools name theirs in many ways; the words in them are few. */
const SEARCH = /(?:web|google|internet|brave|tavily|bing|duckduckgo|exa|serp)\w*?[_.-]*search|^websearch$/i;
const FETCH = /fetch|browse|navigate|scrape|crawl|open[_-]?page|read[_-]?(?:url|page)/i;
const ADDRESS = /https?:\/\/[^\s"'<>()[\]{}\\`|]+/g;

const MOST_REMEMBERED = 1000;
const LONGEST_READ = 1_000_000;

interface Call {
  readonly kind: 'fetch' | 'search';
  readonly input: JsonValue;
}

/** Gathers the web tools of a run. A call counts when it has ended well. */
export class WebFold {
  readonly #calls = new Map<string, Call>();
  readonly #fetched = new Set<string>();
  readonly #searched = new Set<string>();

  add(event: AgentEvent): void {
    if (event.type === 'tool') {
      const kind = SEARCH.test(event.name) ? 'search' : FETCH.test(event.name) ? 'fetch' : undefined;
      if (kind) this.#calls.set(event.id, { kind, input: event.input });
    } else if (event.type === 'tool.ended') {
      const call = this.#calls.get(event.id);
      this.#calls.delete(event.id);
      if (call && event.ok) this.#ended(call, event.output.slice(0, LONGEST_READ));
    }
  }

  get use(): WebUse {
    return { fetched: [...this.#fetched], searched: [...this.#searched] };
  }

  #ended({ kind, input }: Call, output: string): void {
    const seen = kind === 'fetch' ? addressesOf(input) : addressesIn(output);
    for (const url of seen) remember(this.#fetched, url);
    const query = kind === 'search' ? queryOf(input, output) : '';
    // A page that was opened by the tool that searches is no search.
    if (query !== '' && !/^https?:\/\/\S+$/.test(query)) remember(this.#searched, query);
  }
}

function remember(all: Set<string>, one: string): void {
  if (all.size < MOST_REMEMBERED) all.add(one);
}

/** Where a tool has a field for the address, others in its words were not fetched. */
function addressesOf(input: JsonValue): readonly string[] {
  if (isJsonObject(input)) {
    const named = [input['url'], input['urls']].filter((value) => value !== undefined);
    if (named.length > 0) return addressesIn(JSON.stringify(named));
  }
  return addressesIn(JSON.stringify(input));
}

function addressesIn(text: string): readonly string[] {
  return (text.match(ADDRESS) ?? []).map((url) => url.replace(/[.,;:!?]+$/, ''));
}

/** Some know only at its end what was searched for. */
function queryOf(input: JsonValue, output: string): string {
  const query = isJsonObject(input) ? input['query'] : undefined;
  const told = typeof query === 'string' ? query.trim() : '';
  return told === '' ? (output.trim().split('\n')[0] ?? '') : told;
}
