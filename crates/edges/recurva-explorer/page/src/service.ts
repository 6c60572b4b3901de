/** Where the data come from: the page itself, or the server that it was loaded from. */
import type { Document, FreeState, Status } from "./document.js";

/** What is asked for is not there; the message is for the user. */
export class Refused extends Error {}

/** The source of documents and states. */
export interface Service {
  /** Is there a server? */
  readonly live: boolean;
  /** The document; null while the check is running. */
  document(): Promise<Document | null>;
  status(): Promise<Status>;
  stop(): Promise<void>;
  /** The state that picks lead to. Throws `Refused` if there is none. */
  free(document: Document, picks: string): Promise<FreeState>;
}

/** The document in the page, or the server. */
export function serviceOf(page: globalThis.Document): Service {
  const embedded = page.getElementById("document");
  return embedded ? new Embedded(embedded.textContent ?? "") : new Server();
}

class Embedded implements Service {
  readonly live = false;
  constructor(private readonly text: string) {}

  document(): Promise<Document> {
    return Promise.resolve(JSON.parse(this.text) as Document);
  }

  status(): Promise<Status> {
    return Promise.reject(new Refused("There is no server."));
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  free(document: Document, picks: string): Promise<FreeState> {
    const table = document.free ?? {};
    const entry = (name: string) => (Object.hasOwn(table, name) ? table[name] : undefined);
    let found = entry(picks);
    if (typeof found === "string") found = entry(found);
    if (typeof found === "object") return Promise.resolve({ ...found, picks });
    const stored = Object.values(table).filter((each) => typeof each === "object").length;
    const have = stored === 1 ? "1 state" : `${stored} states`;
    return Promise.reject(
      new Refused(`This file stores ${have} to explore, and not this one. To go on from here, run`),
    );
  }
}

class Server implements Service {
  readonly live = true;

  async document(): Promise<Document | null> {
    const answer = await ask("document");
    return answer.status === 202 ? null : ((await answer.json()) as Document);
  }

  async status(): Promise<Status> {
    return (await (await ask("status")).json()) as Status;
  }

  async stop(): Promise<void> {
    await ask("stop", { method: "POST" });
  }

  async free(_document: Document, picks: string): Promise<FreeState> {
    const answer = await ask(`free?picks=${encodeURIComponent(picks)}`);
    return (await answer.json()) as FreeState;
  }
}

/** What the page says when the server does not answer. */
export const GONE = "The server does not answer: has recurva been stopped?";

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Error(GONE);
  }
  if (answer.ok) return answer;
  let message = `The server answers ${answer.status}.`;
  try {
    const given: unknown = await answer.json();
    if (given && typeof given === "object" && "error" in given) message = String(given.error);
  } catch {
    // The status is all there is to say.
  }
  throw new Refused(message);
}
