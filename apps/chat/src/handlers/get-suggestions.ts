import type { GetSuggestionsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readPraisedQuestions } from '#suggestions/praised-questions';
import { suggestQuestions } from '#suggestions/suggest-questions';

const MAX_SUGGESTIONS = 4;
const MAX_PRAISED = 2;
/** Enough for some headings that are questions. */
const LISTED_DOCUMENTS = 20;

/** Suggests questions to a reader who has not asked anything yet, and returns what can be searched. */
export const getSuggestions =
  ({ db, services }: Context) =>
  async (_request: GetSuggestionsRequest, call: ServiceCall) => {
    const own = services.for(call);
    const [state, documents, praised] = await Promise.all([
      own.readIndexing([], call.signal),
      services.listLatest(call, LISTED_DOCUMENTS, call.signal),
      readPraisedQuestions(db, own, call.caller, MAX_PRAISED),
    ]);
    return {
      questions: [...new Set([...praised, ...suggestQuestions(documents)])].slice(0, MAX_SUGGESTIONS),
      searchable: state.searchable,
      pendingCount: state.pending,
    };
  };
