import { controls } from './controls.mjs'
import { main } from './main.mjs'
import { shared } from './shared.mjs'
import { window } from './window.mjs'
import { wire } from './wire.mjs'

/**
 * @typedef {object} Mistake
 * @property {string} id
 * @property {string} file
 * @property {string} find a snippet that occurs once in the file
 * @property {string} replace the snippet with the mistake
 * @property {string} promise what no longer holds, with the promise's ID if it has one
 * @property {string[]} near tests to run first: paths below `test/`, without extensions
 */

/** @type {readonly Mistake[]} */
export const mistakes = [...wire, ...main, ...shared, ...window, ...controls]
