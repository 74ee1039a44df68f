const WORDS = ['Travel', 'expenses', 'leave', 'contract', 'onboarding', 'security', 'review', 'budget', 'supplier'];
const TYPES = ['pdf', 'docx', 'markdown', 'html'];
const DAY_MS = 86_400_000;

/** Returns a generated page of the list of documents, as the API answers it. Every hundredth failed. */
export function documentsPage(collection: string, total: number, page: number, limit: number) {
  const from = (page - 1) * limit;
  const count = Math.max(0, Math.min(limit, total - from));
  return {
    data: Array.from({ length: count }, (_, at) => documentRecord(collection, from + at)),
    meta: { page, limit, total, hasMore: from + count < total },
  };
}

function documentRecord(collection: string, at: number) {
  const time = new Date(Date.UTC(2026, 0, 1) + (at % 300) * DAY_MS).toISOString();
  const isFailed = at % 100 === 99;
  return {
    id: `doc_${String(at).padStart(22, '0')}`,
    title: `${WORDS[at % WORDS.length]} and ${WORDS[(at * 7 + 3) % WORDS.length]}, part ${at + 1}`,
    status: isFailed ? 'failed' : 'indexed',
    error: isFailed ? { code: 'invalid_request', message: 'The file is damaged. Upload it again.' } : null,
    collection,
    collectionName: 'Archive',
    source: 'upload',
    type: TYPES[at % TYPES.length],
    connector: null,
    externalId: null,
    url: null,
    metadata: { author: 'Ada' },
    chunkCount: (at % 40) + 1,
    sizeBytes: 1_000 + ((at * 7_919) % 5_000_000),
    createdAt: time,
    updatedAt: time,
    indexedAt: isFailed ? null : time,
    principals: ['public'],
  };
}
