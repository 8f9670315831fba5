// Rules for every script of the repository; scripts/lint applies them. Files are found by their extension, so that a new page is checked too.
import js from '@eslint/js';
import html from 'eslint-plugin-html';
import globals from 'globals';
import { readFileSync } from 'node:fs';

// Properties of window whose names are common words: a script that uses one without "window." has more likely lost a variable of its own.
const CONFUSING = ['blur', 'close', 'closed', 'confirm', 'event', 'external', 'find', 'focus', 'frames', 'history', 'length', 'menubar', 'moveBy', 'moveTo',
  'name', 'open', 'opener', 'origin', 'parent', 'print', 'prompt', 'screen', 'scroll', 'scrollbars', 'self', 'status', 'statusbar', 'stop', 'toolbar', 'top'];

const page = Object.fromEntries(Object.entries(globals.browser).filter(([name]) => !CONFUSING.includes(name)));

// The pages of the admin address have one script each, whose first part they share; it uses little of itself.
const PAGES = 'gateway-app/src/main/resources/dev/postern/app';
const shared = Object.fromEntries([...readFileSync(new URL(`../../${PAGES}/page/page.js`, import.meta.url), 'utf8')
  .matchAll(/^(?:async )?(?:function|const|let) (\w+)/gm)].map(([, name]) => [name, 'readonly']));

// The address of the page itself: to navigate to it reloads nothing where it has a fragment.
const HERE = ":matches(Identifier[name='location'], MemberExpression[property.name=/^(location|href|URL|documentURI|baseURI)$/], Literal[value=''])";
const LOCATION = prefix => `:matches([${prefix}.name='location'], [${prefix}.property.name='location'])`;
const message = 'A URL with a #fragment is not loaded again this way (expected: location.reload()).';

const rules = {
  ...js.configs.recommended.rules,
  'no-unused-vars': ['error', { args: 'after-used', caughtErrors: 'all' }],
  'no-use-before-define': ['error', { functions: false, variables: false }],
  'no-restricted-syntax': ['error',
    { selector: `CallExpression[callee.property.name=/^(assign|replace)$/]${LOCATION('callee.object')} > ${HERE}.arguments`, message },
    { selector: `AssignmentExpression${LOCATION('left')} > ${HERE}.right`, message },
    { selector: `AssignmentExpression[left.property.name='href']${LOCATION('left.object')} > ${HERE}.right`, message }],
};

export default [
  { ignores: ['**/target/**'] },
  // No comment in a script may switch a rule off.
  { linterOptions: { noInlineConfig: true } },
  { files: ['**/*.html', '**/*.htm', '**/*.xhtml', '**/*.svg'], plugins: { html }, settings: { 'html/xml-extensions': ['.xhtml', '.svg'] }, languageOptions: { sourceType: 'script', globals: page }, rules },
  { files: ['**/src/main/**/*.{js,cjs,mjs}', 'docker/**/*.{js,cjs,mjs}', 'docs/**/*.{js,cjs,mjs}'], languageOptions: { globals: page }, rules },
  { files: [`${PAGES}/page/*.js`], languageOptions: { sourceType: 'script', globals: page } },
  { files: [`${PAGES}/page/page.js`], rules: { 'no-unused-vars': ['error', { vars: 'local', args: 'after-used', caughtErrors: 'all' }] } },
  { files: [`${PAGES}/page/{rooms,keys,context}.js`, `${PAGES}/live/live.html`], languageOptions: { globals: { ...page, ...shared } } },
  { files: ['scripts/**/*.mjs', 'load-tests/interop/**/*.mjs'], languageOptions: { globals: globals.nodeBuiltin }, rules },
];
