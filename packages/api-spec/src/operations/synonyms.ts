import { z } from 'zod';
import { jsonBody, recordBody, withoutBody } from '#body';
import {
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  id,
  idParams,
  integer,
  linkedIds,
  nullableTimestamp,
  ownId,
  pageQuery,
  text,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_TERMS = 50;
const MAX_TERM = 100;
const MAX_IMPORT = 5_000;
const MAX_IMPORT_TEXT = 1_000_000;
const MAX_QUERY = 200;
const MAX_SOURCE = 100;

const TERMS = {
  description:
    'Words or phrases with the same meaning, at most 50 of at most 10 words each. Inflected forms and upper case match too.',
  examples: [['PTO', 'paid time off', 'vacation']],
};
const INPUT = {
  description:
    'Empty: a query for one of the terms also finds the others (two-way). Otherwise a query for one of these words also finds the terms, but not the reverse (one-way).',
  examples: [[]],
};
const ENABLED = { description: 'True if searches use the synonym.' };
const COLLECTION = {
  description: 'The collection whose searches use the synonym. Null: all searches of the team.',
};

const term = z.string().trim().min(1).max(MAX_TERM);
const terms = z.array(term).min(1).max(MAX_TERMS);
const input = z.array(term).max(MAX_TERMS);
const source = z.string().min(1).max(MAX_SOURCE);

const synonymSchema = z
  .object({
    id: ownId('synonym'),
    terms: z.array(z.string()).meta(TERMS),
    input: z.array(z.string()).meta(INPUT),
    collection: z.string().nullable().meta(COLLECTION),
    enabled: flag(ENABLED.description),
    source: text('`custom`, or the name of the pack that the synonym belongs to.', 'custom'),
    createdAt: nullableTimestamp('When the synonym was created. Null in a pack.'),
    updatedAt: nullableTimestamp('When the synonym was last changed. Null in a pack.'),
  })
  .meta({
    id: 'Synonym',
    description: 'Words that searches treat as having the same meaning.',
    examples: [
      {
        id: exampleId('synonym'),
        terms: ['PTO', 'paid time off', 'vacation'],
        input: [],
        collection: null,
        enabled: true,
        source: 'custom',
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

const packSchema = z
  .object({
    name: text('The name of the pack.', 'workplace-en').register(linkedIds, { kind: 'synonym pack' }),
    language: text('The language of its words (ISO 639-1).', 'en'),
    enabled: flag('True if searches use the pack.'),
    synonymCount: integer('The number of synonyms in the pack.'),
    disabledCount: integer('The number of its synonyms that are switched off one by one.'),
  })
  .meta({
    id: 'SynonymPack',
    description: 'A list of synonyms that ships with Lectern.',
    examples: [{ name: 'workplace-en', language: 'en', enabled: true, synonymCount: 1_232, disabledCount: 0 }],
  });

const newSynonymBody = z
  .strictObject({
    terms: terms.meta(TERMS),
    input: input.default([]).meta(INPUT),
    collection: id.nullable().optional().meta(COLLECTION),
    enabled: z.boolean().default(true).meta(ENABLED),
  })
  .meta({
    examples: [{ terms: ['PTO', 'paid time off', 'vacation'] }, { input: ['laptop'], terms: ['notebook', 'MacBook'] }],
  });

const synonymChanges = z
  .strictObject({
    terms: terms.meta(TERMS),
    input: input.meta(INPUT),
    collection: id.nullable().meta(COLLECTION),
    enabled: z.boolean().meta(ENABLED),
  })
  .partial()
  .meta({ examples: [{ enabled: false }] });

const importedSynonym = z
  .strictObject({
    terms: terms.meta(TERMS),
    input: input.default([]).meta(INPUT),
    enabled: z.boolean().default(true).meta(ENABLED),
  })
  .meta({ id: 'ImportedSynonym', description: 'A synonym to import.' });

const importBody = z
  .strictObject({
    text: z.string().max(MAX_IMPORT_TEXT).optional().meta({
      description:
        'Synonyms in the format of Solr and Elasticsearch, one per line: `a, b c` is two-way, `a, b => c` one-way, `#` starts a comment.',
    }),
    synonyms: z
      .array(importedSynonym)
      .max(MAX_IMPORT)
      .optional()
      .meta({ description: 'The synonyms as JSON, instead of `text`.' }),
    collection: id.nullable().optional().meta(COLLECTION),
    replace: z.boolean().default(false).meta({
      description:
        'True: also deletes the custom synonyms of the same collection, or of the whole team without a collection, that are not in the import.',
    }),
  })
  .refine((body) => (body.text === undefined) !== (body.synonyms === undefined), {
    path: ['text'],
    message: 'or synonyms must be present, but not both',
  })
  .meta({ examples: [{ text: 'PTO, paid time off, vacation\nlaptop => notebook, MacBook' }] });

const importResult = z
  .object({
    created: integer('The number of new synonyms.'),
    unchanged: integer('The number of synonyms that existed already.'),
    deleted: integer('The number of synonyms that `replace` deleted.'),
  })
  .meta({
    id: 'SynonymImport',
    description: 'The result of an import.',
    examples: [{ created: 2, unchanged: 0, deleted: 0 }],
  });

const exportFormat = z.enum(['solr', 'json']).meta({ id: 'SynonymFormat', description: 'A format of synonyms.' });

const exportResult = z
  .object({
    format: exportFormat.meta({ description: 'The requested format.' }),
    count: integer('The number of synonyms.'),
    text: z.string().optional().meta({
      description: 'The enabled synonyms in the format of Solr. Present if that is the format.',
    }),
    synonyms: z
      .array(
        z
          .object({
            terms: z.array(z.string()).meta(TERMS),
            input: z.array(z.string()).meta(INPUT),
            enabled: flag(ENABLED.description),
          })
          .meta({ id: 'ExportedSynonym', description: 'An exported synonym.' }),
      )
      .optional()
      .meta({ description: 'All synonyms as an import accepts them. Present if the format is `json`.' }),
  })
  .meta({
    id: 'SynonymExport',
    description: 'Exported synonyms.',
    examples: [{ format: 'solr', count: 1, text: 'PTO, paid time off, vacation\n' }],
  });

const ofCollection = id.optional();

export const listSynonyms = operation({
  id: 'listSynonyms',
  method: 'get',
  path: '/api/v1/synonyms',
  summary: 'List synonyms',
  description:
    'Lists custom synonyms, newest first, then those of packs. A key that is restricted to some collections sees only synonyms of its collections.',
  access: 'secret',
  params: none,
  query: pageQuery.extend({
    collection: ofCollection.meta({ description: 'Only synonyms of this collection.' }),
    source: source.optional().meta({ description: 'Only `custom` synonyms, or those of this pack.' }),
    query: z
      .string()
      .max(MAX_QUERY)
      .optional()
      .meta({ description: 'Only synonyms with a term that contains this text.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(synonymSchema)),
});

export const createSynonym = operation({
  id: 'createSynonym',
  method: 'post',
  path: '/api/v1/synonyms',
  summary: 'Create a synonym',
  description:
    'Creates a custom synonym. The next search uses it. Without a collection, the key must have access to all collections.',
  access: 'secret',
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(newSynonymBody),
  success: 201,
  errors: ['conflict'],
  response: one(synonymSchema),
});

export const importSynonyms = operation({
  id: 'importSynonyms',
  method: 'post',
  path: '/api/v1/synonyms/import',
  summary: 'Import synonyms',
  description:
    'Creates up to 5,000 custom synonyms from text or JSON, all or none: if one is invalid, the error names its line. Synonyms that exist already stay as they are.',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(importBody, 'MAX_JSON_BYTES'),
  success: 200,
  errors: ['conflict'],
  response: one(importResult),
});

export const exportSynonyms = operation({
  id: 'exportSynonyms',
  method: 'get',
  path: '/api/v1/synonyms/export',
  summary: 'Export synonyms',
  description:
    'Returns the custom synonyms of the whole team, of one collection, or the synonyms of a pack, in a form that an import accepts.',
  access: 'secret',
  params: none,
  query: z.object({
    format: exportFormat.default('solr').meta({ description: 'The format of the synonyms.' }),
    collection: ofCollection.meta({
      description: 'The synonyms of this collection. Omit it for those of the whole team.',
    }),
    source: source.optional().meta({ description: '`custom`, the default, or the name of a pack.' }),
  }),
  body: withoutBody,
  success: 200,
  errors: ['not_found'],
  response: one(exportResult),
});

export const listSynonymPacks = operation({
  id: 'listSynonymPacks',
  method: 'get',
  path: '/api/v1/synonyms/packs',
  summary: 'List synonym packs',
  description: 'Lists the packs of synonyms that ship with Lectern. All are on until the team switches them off.',
  access: 'secret',
  fullScopeTo: 'list synonym packs',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(z.array(packSchema)),
});

export const updateSynonymPack = operation({
  id: 'updateSynonymPack',
  method: 'put',
  path: '/api/v1/synonyms/packs/{name}',
  summary: 'Switch a synonym pack on or off',
  description: 'Switches a pack on or off for all searches of the team, from the next search on.',
  access: 'secret',
  fullScopeTo: 'switch synonym packs on or off',
  params: z.object({
    name: source
      .meta({ description: 'The name of the pack.', examples: ['workplace-en'] })
      .register(linkedIds, { kind: 'synonym pack' }),
  }),
  query: none,
  body: jsonBody(
    z
      .strictObject({ enabled: z.boolean().meta({ description: 'True to switch the pack on.' }) })
      .meta({ examples: [{ enabled: false }] }),
  ),
  success: 200,
  response: one(packSchema),
});

export const getSynonym = operation({
  id: 'getSynonym',
  method: 'get',
  path: '/api/v1/synonyms/{id}',
  summary: 'Get a synonym',
  description: 'Returns a custom synonym or one of a pack.',
  access: 'secret',
  versioned: true,
  params: idParams('synonym'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(synonymSchema),
});

export const updateSynonym = operation({
  id: 'updateSynonym',
  method: 'put',
  path: '/api/v1/synonyms/{id}',
  summary: 'Update a synonym',
  description: 'Changes the given fields of a custom synonym. Of a synonym in a pack, only `enabled` can change.',
  access: 'secret',
  versioned: true,
  params: idParams('synonym'),
  query: none,
  body: recordBody(synonymChanges, synonymSchema),
  success: 200,
  errors: ['conflict'],
  response: one(synonymSchema),
});

export const deleteSynonym = operation({
  id: 'deleteSynonym',
  method: 'delete',
  path: '/api/v1/synonyms/{id}',
  summary: 'Delete a synonym',
  description: 'Deletes a custom synonym. A synonym of a pack can only be switched off.',
  access: 'secret',
  versioned: true,
  params: idParams('synonym'),
  query: none,
  body: withoutBody,
  success: 200,
  errors: ['conflict'],
  response: one(deletedRecord),
});
