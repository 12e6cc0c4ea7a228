import { createRetryingClient } from '../src/retrying.js'
import { testOrders } from './orders.js'

testOrders(createRetryingClient)
