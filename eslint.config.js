import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import svelte from 'eslint-plugin-svelte'
import tseslint from 'typescript-eslint'

const root = dirname(fileURLToPath(import.meta.url))
const project = ['./tsconfig.main.json', './tsconfig.renderer.json', './tsconfig.test.json']

/** Few rules, each against a mistake that tests rarely show. */
const rules = {
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/ban-ts-comment': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  eqeqeq: 'error',
  'no-debugger': 'error',
  'no-eval': 'error',
}

/**
 * Time is asked of a clock that is handed on (`src-shared/time/clock.ts`), so that `--now` moves all of it and what waits
 * does not wait longer because somebody sets the clock back.
 */
const message = 'Ask a Clock (src-shared/time/clock.ts) that is handed on.'
const theClock = {
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message },
    { object: 'performance', property: 'now', message },
    { object: 'performance', property: 'timeOrigin', message },
    { object: 'process', property: 'hrtime', message },
    { object: 'process', property: 'uptime', message },
    { object: 'Temporal', property: 'Now', message },
    { object: 'DateTime', property: 'now', message },
  ],
  'no-restricted-syntax': [
    'error',
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message },
    { selector: "CallExpression[callee.name='Date']", message },
    {
      selector:
        "CallExpression[callee.object.name='DateTime'][callee.property.name=/^(local|utc)$/][arguments.length=0]",
      message,
    },
    // A format of nothing is one of now.
    { selector: 'CallExpression[callee.property.name=/^(format|formatToParts)$/][arguments.length=0]', message },
  ],
}
/** The clock itself, and measurements of speed. */
const clockFiles = ['src-shared/time/clock.ts', 'test/helpers/moved-clock.mjs', 'test/bench/**']

export default tseslint.config(
  { ignores: ['node_modules/', 'out/', 'dist/', '.cache/', 'src-shared/wire/**/types.ts'] },
  {
    files: ['src-*/**/*.ts', 'test/**/*.ts', 'scripts/tour/*.ts'],
    languageOptions: { parser: tseslint.parser, parserOptions: { project, tsconfigRootDir: root } },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules,
  },
  ...svelte.configs.base,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: tseslint.parser, project, tsconfigRootDir: root, extraFileExtensions: ['.svelte'] },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: { ...rules, 'svelte/no-at-html-tags': 'error' },
  },
  {
    files: ['src-*/**/*.{ts,svelte}', 'test/**/*.{ts,mjs}', 'scripts/tour/*.ts'],
    ignores: clockFiles,
    rules: theClock,
  },
)
