import { z } from 'zod';
import { jsonBody, recordBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  flag,
  id,
  idParams,
  integer,
  ownId,
  pageQuery,
  updatedAt,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_QUERY = 200;
const MAX_PINS = 20;
const MAX_POSITION = 100;
const MAX_HIDES = 100;
const MAX_RULES = 1_000;

const QUERY = {
  description:
    'The words of the searches that the rule applies to, at most 20. Case, accents and endings make no difference.',
  examples: ['annual leave'],
};
const MATCH = {
  description: '`exact`: the search consists of these words. `contains`: it contains them next to each other.',
};
const PINS = {
  description:
    'Documents and their positions in the results. They also match if they contain none of the words. Filters, exclusions and phrases of a search apply to them, and no one sees a document that they cannot read.',
};
const HIDES = { description: 'The ids of documents that these searches do not find.', examples: [[]] };
const ENABLED = { description: 'True if searches use the rule.' };
const COLLECTION = { description: 'The collection whose searches use the rule. Null: all searches of the team.' };

const match = z.enum(['exact', 'contains']).meta({ id: 'SearchRuleMatch', ...MATCH });

const DOCUMENT_ID = { description: 'The id of the document.', examples: [exampleId('document')] };
const POSITION = { description: 'The position, counted from 1.' };
const PIN = {
  description: 'A document at a position of the results.',
  examples: [{ documentId: exampleId('document'), position: 1 }],
};

const newPin = z
  .strictObject({
    documentId: id.meta(DOCUMENT_ID),
    position: z.int().min(1).max(MAX_POSITION).meta(POSITION),
  })
  .meta({ id: 'NewSearchPin', ...PIN });

const pin = z
  .object({ documentId: z.string().meta(DOCUMENT_ID), position: z.int().meta(POSITION) })
  .meta({ id: 'SearchPin', ...PIN });

const query = z.string().trim().min(1).max(MAX_QUERY);
const pins = z.array(newPin).max(MAX_PINS);
const hides = z.array(id).max(MAX_HIDES);

const CONTENT_EXAMPLE = {
  query: 'annual leave',
  match: 'exact' as const,
  pins: [{ documentId: exampleId('document'), position: 1 }],
  hides: [],
};

const searchRuleSchema = z
  .object({
    id: ownId('search_rule'),
    query: z.string().meta(QUERY),
    match,
    pins: z.array(pin).meta(PINS),
    hides: z.array(z.string()).meta(HIDES),
    collection: z.string().nullable().meta(COLLECTION),
    enabled: flag(ENABLED.description),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'SearchRule',
    description: 'Pins documents to positions, or hides them, in searches for certain words.',
    examples: [
      {
        id: exampleId('search_rule'),
        ...CONTENT_EXAMPLE,
        collection: null,
        enabled: true,
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

const content = {
  query: query.meta(QUERY),
  match: match.default('exact'),
  pins: pins.default([]).meta(PINS),
  hides: hides.default([]).meta(HIDES),
  enabled: z.boolean().default(true).meta(ENABLED),
};

const newRuleBody = z
  .strictObject({ ...content, collection: id.nullable().optional().meta(COLLECTION) })
  .refine((rule) => rule.pins.length + rule.hides.length > 0, {
    path: ['pins'],
    message: 'or hides must name at least 1 document',
  })
  .meta({ examples: [CONTENT_EXAMPLE] });

const ruleChanges = z
  .strictObject({
    query: query.meta(QUERY),
    match,
    pins: pins.meta(PINS),
    hides: hides.meta(HIDES),
    collection: id.nullable().meta(COLLECTION),
    enabled: z.boolean().meta(ENABLED),
  })
  .partial()
  .meta({ examples: [{ enabled: false }] });

const importedRule = z
  .strictObject(content)
  .meta({ id: 'ImportedSearchRule', description: 'A search rule to import.', examples: [CONTENT_EXAMPLE] });

const importBody = z
  .strictObject({
    rules: z.array(importedRule).max(MAX_RULES).meta({ description: 'The rules, as an export returns them.' }),
    collection: id.nullable().optional().meta(COLLECTION),
    replace: z.boolean().default(false).meta({
      description:
        'True: also deletes the rules of the same collection, or of the whole team without a collection, that are not in the import.',
    }),
  })
  .meta({ examples: [{ rules: [CONTENT_EXAMPLE] }] });

const importResult = z
  .object({
    created: integer('The number of new rules.'),
    updated: integer('The number of changed rules.'),
    unchanged: integer('The number of rules that were the same already.'),
    deleted: integer('The number of rules that `replace` deleted.'),
  })
  .meta({
    id: 'SearchRuleImport',
    description: 'The result of an import.',
    examples: [{ created: 1, updated: 0, unchanged: 0, deleted: 0 }],
  });

const exportResult = z
  .object({
    rules: z
      .array(
        z
          .object({
            query: z.string().meta(QUERY),
            match,
            pins: z.array(pin).meta(PINS),
            hides: z.array(z.string()).meta(HIDES),
            enabled: flag(ENABLED.description),
          })
          .meta({ id: 'ExportedSearchRule', description: 'An exported search rule.' }),
      )
      .meta({ description: 'The rules as an import accepts them, newest first.' }),
  })
  .meta({
    id: 'SearchRuleExport',
    description: 'Exported search rules.',
    examples: [{ rules: [{ ...CONTENT_EXAMPLE, enabled: true }] }],
  });

export const listSearchRules = operation({
  id: 'listSearchRules',
  method: 'get',
  path: '/api/v1/search-rules',
  summary: 'List search rules',
  description:
    'Lists search rules, newest first. A key that is restricted to some collections sees only rules of its collections.',
  access: 'secret',
  params: none,
  query: pageQuery.extend({
    collection: id.optional().meta({ description: 'Only rules of this collection.' }),
    query: z.string().max(MAX_QUERY).optional().meta({ description: 'Only rules whose words contain this text.' }),
  }),
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(searchRuleSchema)),
});

export const createSearchRule = operation({
  id: 'createSearchRule',
  method: 'post',
  path: '/api/v1/search-rules',
  summary: 'Create a search rule',
  description:
    'Creates a rule that pins documents to positions, or hides them, in searches for certain words. The next search uses it. Without a collection, the key must have access to all collections.',
  access: 'secret',
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(newRuleBody),
  success: 201,
  errors: ['conflict'],
  response: one(searchRuleSchema),
});

export const importSearchRules = operation({
  id: 'importSearchRules',
  method: 'post',
  path: '/api/v1/search-rules/import',
  summary: 'Import search rules',
  description:
    'Creates up to 1,000 rules, all or none. A rule for the same words in the same collection is changed instead. The documents must exist in this installation.',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(importBody, 'MAX_JSON_BYTES'),
  success: 200,
  errors: ['conflict'],
  response: one(importResult),
});

export const exportSearchRules = operation({
  id: 'exportSearchRules',
  method: 'get',
  path: '/api/v1/search-rules/export',
  summary: 'Export search rules',
  description: 'Returns the rules of the whole team, or of one collection, in a form that an import accepts.',
  access: 'secret',
  params: none,
  query: z.object({
    collection: id.optional().meta({
      description: 'The rules of this collection. Omit it for those of the whole team.',
    }),
  }),
  body: withoutBody,
  success: 200,
  errors: ['not_found'],
  response: one(exportResult),
});

export const getSearchRule = operation({
  id: 'getSearchRule',
  method: 'get',
  path: '/api/v1/search-rules/{id}',
  summary: 'Get a search rule',
  description: 'Returns a search rule.',
  access: 'secret',
  versioned: true,
  params: idParams('search_rule'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(searchRuleSchema),
});

export const updateSearchRule = operation({
  id: 'updateSearchRule',
  method: 'put',
  path: '/api/v1/search-rules/{id}',
  summary: 'Update a search rule',
  description: 'Changes the given fields of a search rule.',
  access: 'secret',
  versioned: true,
  params: idParams('search_rule'),
  query: none,
  body: recordBody(ruleChanges, searchRuleSchema),
  success: 200,
  errors: ['conflict'],
  response: one(searchRuleSchema),
});

export const deleteSearchRule = operation({
  id: 'deleteSearchRule',
  method: 'delete',
  path: '/api/v1/search-rules/{id}',
  summary: 'Delete a search rule',
  description: 'Deletes a search rule.',
  access: 'secret',
  versioned: true,
  params: idParams('search_rule'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});
