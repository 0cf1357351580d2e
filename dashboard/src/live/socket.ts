import type { ClientMessage, ServerMessage, Topic } from '../../../src/api/routes/live.ts';

/** How long to wait before the next try, each time; the last one from then on. */
const DELAYS = [200, 500, 1000, 2000, 5000];

interface Listener {
  message(message: ServerMessage): void;
  bytes(frame: ArrayBuffer): void;
  /** Whether what is shown is what is so. */
  connected(live: boolean): void;
}

/** One connection for the page, made again whenever it is lost, from the event that was seen last. */
export class LiveSocket {
  readonly #proof: () => string;
  readonly #listener: Listener;
  #socket: WebSocket | undefined;
  #topics: readonly Topic[] = ['overview'];
  #last: string | undefined;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(proof: () => string, listener: Listener) {
    this.#proof = proof;
    this.#listener = listener;
  }

  open(): void {
    const socket = new WebSocket(
      `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/live`,
    );
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('open', () => {
      const after = this.#last === undefined ? {} : { after: this.#last };
      this.#send({ proof: this.#proof(), ...after, watch: [...this.#topics] });
    });
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.#heard(JSON.parse(data) as ServerMessage);
      else this.#listener.bytes(data);
    });
    socket.addEventListener('close', () => {
      this.#listener.connected(false);
      if (!this.#closed) this.#again();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  watch(topics: readonly Topic[]): void {
    this.#topics = topics;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#send({ watch: [...topics] });
  }

  send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#send(message);
  }

  #heard(message: ServerMessage): void {
    if ('hello' in message) {
      this.#tries = 0;
      // Another start of the server counts from the beginning: what was seen of the last one means nothing to it.
      this.#last ??= message.hello.at;
      this.#listener.connected(true);
    }
    if ('reset' in message) this.#last = message.reset.at;
    if ('events' in message) this.#last = message.events.at(-1)?.id ?? this.#last;
    this.#listener.message(message);
  }

  #again(): void {
    const delay = DELAYS[Math.min(this.#tries, DELAYS.length - 1)] ?? 5000;
    this.#tries += 1;
    this.#timer = setTimeout(() => this.open(), delay * (0.75 + Math.random() / 2));
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }
}
