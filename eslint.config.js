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

export default tseslint.config(
  { ignores: ['node_modules/', 'out/', 'dist/', '.cache/', 'src-shared/wire/**/types.ts'] },
  {
    files: ['src-*/**/*.ts', 'test/**/*.ts'],
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
)
