import { createNaiveClient } from '../src/naive.js'
import { testOrders } from './orders.js'

testOrders(createNaiveClient)
