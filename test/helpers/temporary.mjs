// Global setup of all tests.
import { useTemporaryFolder } from '../../scripts/temporary.mjs'

/** @returns the teardown, which removes what tests leave in the temporary folder */
export const setup = () => useTemporaryFolder()
