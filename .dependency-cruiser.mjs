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

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-file-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(gen|dist)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
