// Reads a JSON list of Mermaid pictures from standard input and writes what the
// parser of the library (its file is the first argument) says against each: ""
// for a picture that it takes.
'use strict';
const fs = require('fs');
const vm = require('vm');

// Without a browser the library's HTML cleaner has no methods; the parser calls
// these.
Function.prototype.addHook = () => {};
Function.prototype.removeHook = () => {};
Function.prototype.sanitize = (s) => s;

vm.runInThisContext(fs.readFileSync(process.argv[2], 'utf8'));
const pictures = JSON.parse(fs.readFileSync(0, 'utf8'));

(async () => {
  const answers = [];
  for (const picture of pictures) {
    try {
      const { diagramType } = await globalThis.mermaid.parse(picture);
      answers.push(/^(flowchart|sequence)/.test(diagramType) ? '' : `it is a ${diagramType}`);
    } catch (e) {
      answers.push(String(e.message || e));
    }
  }
  process.stdout.write(JSON.stringify(answers));
})();
