import { createRequire } from 'node:module';

const { Visitor } = createRequire(import.meta.url)('@swc/core/Visitor.js');
const { visitStatement, visitModuleItems } = Visitor.prototype;

// swc's visitor, which dependency-cruiser extends, does not know `using` declarations yet: visit them like `const`.
Visitor.prototype.visitStatement = function visit(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

// Imports of types do not exist at run time: leave them out of the graph.
Visitor.prototype.visitModuleItems = function visit(items) {
  return visitModuleItems.call(
    this,
    items.filter((item) => !item.typeOnly),
  );
};

/** The workspaces that the sources of each package may use, besides their own. From the bottom to the top. */
const PACKAGES = {
  contracts: [],
  resilience: [],
  text: ['resilience'],
  'qdrant-local': ['resilience'],
  'service-kit': ['contracts', 'resilience'],
  'api-spec': ['contracts'],
  messaging: ['resilience', 'service-kit'],
  'vector-store': ['contracts', 'resilience', 'service-kit'],
  documents: ['text'],
  embeddings: ['contracts', 'resilience', 'service-kit', 'text'],
  egress: [],
  'slack-markup': [],
  connectors: ['contracts', 'egress', 'resilience', 'service-kit', 'slack-markup'],
  grounding: ['resilience', 'text'],
  llm: ['egress', 'grounding', 'resilience', 'service-kit', 'text'],
  extractive: ['grounding', 'llm', 'resilience', 'service-kit', 'text'],
  'local-engines': ['qdrant-local', 'resilience'],
  sdk: [],
  cli: ['sdk'],
  mcp: [],
  widget: ['sdk'],
};

/** Tests, benchmarks and build tools may use every package. */
const NOT_SOURCES = '[.]test[.]tsx?$|^packages/[^/]+/(tests|tools|fit|bench)/|[.]config[.]mjs$';

const packageRules = Object.entries(PACKAGES).map(([name, allowed]) => ({
  name: `packages-${name}`,
  comment: `packages/${name} may use only: ${allowed.join(', ') || 'no other workspace'}`,
  severity: 'error',
  from: { path: `^packages/${name}/`, pathNot: NOT_SOURCES },
  to: { path: '^(apps|packages|bench|infra)/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
}));

/** The only workspaces whose sources may use each of these libraries (ADR 21). */
const LIBRARIES = {
  'p-retry': ['resilience'],
  'lru-cache': ['resilience'],
  'eventsource-parser': ['sdk'],
  yauzl: ['documents'],
  '@qdrant/js-client-rest': ['vector-store'],
  undici: ['egress', 'vector-store'],
};

const libraryRules = Object.entries(LIBRARIES).map(([library, users]) => ({
  name: `library-${library}`,
  comment: `Only packages/${users.join(' and packages/')} may use ${library}.`,
  severity: 'error',
  from: {
    path: '^(apps|packages|bench|infra)/',
    pathNot: `${NOT_SOURCES}|^(packages/(${[...users, 'testing'].join('|')})|apps/[^/]+/tests|bench)/`,
  },
  to: { path: `(^|/)node_modules/${library}/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-file-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'apps-are-independent',
      comment: 'Services call each other over gRPC. They never import each other.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-back-doors',
      comment: 'Import a workspace by its name, through the entry points in its package.json.',
      severity: 'error',
      from: { path: '^((apps|packages)/[^/]+|bench|infra)/' },
      to: { path: '^(apps|packages|bench|infra)/', pathNot: '^$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'no-test-code-in-sources',
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: '[.]test[.]tsx?$|^packages/testing/' },
      to: { path: '^packages/testing/|/tests/' },
    },
    ...libraryRules,
    ...packageRules,
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(gen|dist)/|^packages/lectern/bin/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
