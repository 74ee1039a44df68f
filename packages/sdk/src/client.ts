import { withDeadline } from './deadline.ts';
import { streamEvents } from './events.ts';
import { Paged } from './paged.ts';
import { readAnswer } from './read-answer.ts';
import { type AnyInput, routeOf, toOutgoing } from './request.ts';
import { createSend, type LecternOptions, type Send } from './transport.ts';
import type {
  Answer,
  CallOptions,
  Data,
  EventOf,
  Input,
  Item,
  JsonOperation,
  ListOperation,
  StreamOperation,
} from './types.ts';

/** What is sent, or how it is found once reading begins: before, nobody would hear of a failure. */
type Later<Given> = Given | (() => Promise<Given>);

/** Calls any operation by its id, typed from the API's description. The namespaces are made of these. */
export interface Client {
  /** Sends a request of any form. */
  readonly send: Send;
  /** The id of the key's team. It is asked for once for all; each call waits no longer than its own options say. */
  teamId(options?: Pick<CallOptions, 'signal' | 'timeoutMs'>): Promise<string>;
  /** What an operation answers. */
  call<Id extends JsonOperation>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Data<Id>>;
  /**
   * Returns the response with its `meta` (paging information) and the record's `etag`, for
   * `ifMatch`.
   */
  answer<Id extends JsonOperation>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Answer<Id>>;
  /** A list: `await` gives a page of it, `for await` all. */
  list<Id extends ListOperation>(id: Id, input: Later<Input<Id>>, options?: CallOptions): Paged<Item<Id>>;
  /** The events of a stream; what it fails with is thrown. */
  events<Id extends StreamOperation>(
    id: Id,
    input: Later<Input<Id>>,
    options?: CallOptions,
  ): AsyncGenerator<EventOf<Id>, void>;
}

const foundOf = async (input: Later<AnyInput>): Promise<AnyInput> => (typeof input === 'function' ? input() : input);

const atPage = (input: AnyInput, page: number): AnyInput => ({ ...input, query: { ...Object(input.query), page } });

/** Makes a client. */
export function createClient(settings: LecternOptions): Client {
  const send = createSend(settings);
  let team = settings.teamId === undefined ? undefined : Promise.resolve(settings.teamId);

  const client: Client = {
    send,
    teamId: (limit = {}) => {
      if (team === undefined) {
        const asked = client.call('getOwnKey', {}).then(({ teamId }) => teamId);
        // A failure is not kept.
        asked.catch(() => {
          team = undefined;
        });
        team = asked;
      }
      const found = team;
      return withDeadline(limit, () => found);
    },
    call: async (id, input, options = {}) => {
      const { data } = await send(toOutgoing(id, input, options), options, readAnswer);
      return data;
    },
    answer: async (id, input, options = {}) => Object(await send(toOutgoing(id, input, options), options, readAnswer)),
    list: (id, input, options = {}) => {
      const read = async (page?: number) => {
        const given = await foundOf(input);
        const outgoing = toOutgoing(id, page === undefined ? given : atPage(given, page), options);
        const { data, meta } = await send(outgoing, options, readAnswer);
        const { limit, total, hasMore } = meta;
        return { items: data, page: meta.page, limit, total, hasMore };
      };
      return new Paged(read);
    },
    async *events(id, input, options = {}) {
      const { terminal = '', askAgain = false } = routeOf(id);
      const outgoing = toOutgoing(id, await foundOf(input), options);
      for await (const event of streamEvents(send, outgoing, { terminal, askAgain }, options)) yield Object(event);
    },
  };
  return client;
}
